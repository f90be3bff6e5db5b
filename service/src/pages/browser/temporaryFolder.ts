import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../errors/thrown.ts';

/** Tells folders of other machines, and containers, that share their temporary files with this one. */
const machine = hash('sha256', hostname()).slice(0, 6);

/** A short name: Chromium puts a socket in there, whose path may have some hundred characters. */
const prefix = `cs-${machine}-`;

/** The folders of this process. */
const own = new Set<string>();

/** Removes the folders of processes that were killed. Throws where the folder for temporary files cannot be read. */
export function removeLeftFolders(): void {
	for (const name of temporaryFiles()) {
		const [, owner] = name.startsWith(prefix) ? (/-(\d+)-\w+$/.exec(name) ?? []) : [];
		if (owner === undefined || own.has(name) || isAlive(Number(owner))) continue;
		remove(join(tmpdir(), name));
	}
}

function temporaryFiles(): string[] {
	try {
		return readdirSync(tmpdir());
	} catch (cause) {
		const said = `The folder for temporary files, ${tmpdir()}, cannot be read (${reasonOf(cause)}): make it, or set TMPDIR to one that is there.`;
		throw new Error(said, { cause });
	}
}

/** Makes a folder for what a browser forgets when it is killed. */
export function newTemporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
	own.add(folder.slice(-`${prefix}${process.pid}-XXXXXX`.length));
	return folder;
}

/** Milliseconds before each removal of the folder of a browser that has ended. */
const pauses = [0, 100, 1_000, 10_000];

/**
 * Removes the folder of a browser that has ended, and once more what that makes anew: its processes end later than it
 * says. What is there even then goes as this process ends.
 */
export async function removeTemporaryFolder(folder: string): Promise<void> {
	for (const pause of pauses) {
		await sleep(pause, undefined, { ref: false });
		await rm(folder, { recursive: true, force: true }).catch(() => undefined);
	}
}

/** Milliseconds for a browser that was killed to write no more. */
const patience = 2_000;

/**
 * Removes them all, with whatever browsers have left in them, while this process ends. It looks whether they are
 * gone: `rmSync` of Node.js 24 says nothing where another removal takes a file away from it, and leaves the rest;
 * and what a browser was at when it was killed, as making its folder again, it ends.
 */
export function removeTemporaryFolders(): void {
	const end = performance.now() + patience;
	const pause = new Int32Array(new SharedArrayBuffer(4));
	for (let looksGone = 0; looksGone < 2 && performance.now() < end;) {
		const left = [...own].map((name) => join(tmpdir(), name)).filter((path) => existsSync(path));
		looksGone = left.length === 0 ? looksGone + 1 : 0;
		for (const folder of left) remove(folder);
		// The retries of `rmSync` come all at once. Nothing else goes on any more as a process ends.
		Atomics.wait(pause, 0, 0, 50);
	}
}

/** Removes what it can; what is left is looked for again, and once more at the next start. */
function remove(folder: string): void {
	try {
		rmSync(folder, { recursive: true, force: true });
	} catch {
		// A browser may be writing still.
	}
}

/** Whether another process has this number; one with the number of this one was there before it. */
function isAlive(id: number): boolean {
	if (id === process.pid) return false;
	try {
		process.kill(id, 0);
		return true;
	} catch (error) {
		// It may belong to somebody else.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
