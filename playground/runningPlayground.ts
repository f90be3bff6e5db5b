import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, listAt, objectAt, textAt } from './json.ts';

/** Who uses a state folder now. Two n8n on one database would spoil it. */
export interface RunningPlayground {
	pid: number;
	/** The address of its editor; empty while it starts. */
	editor: string;
	/** n8n and the local service. */
	children: number[];
}

/** Refuses if another playground uses the folder, and ends what a killed one has left running. */
export async function claimFolder(folder: string): Promise<void> {
	const other = readRunning(folder);
	if (other && isPlayground(other.pid)) {
		const hint = other.editor ? `open ${other.editor}` : 'wait until it is open';
		throw new Error(
			`The playground is running already (process ${other.pid}): ${hint}, or stop it with Ctrl-C where you started it, or with "kill ${other.pid}".`,
		);
	}
	for (const pid of other?.children ?? []) await endLeftover(pid);
	noteRunning(folder, { pid: process.pid, editor: '', children: [] });
}

/** Notes what this playground has started, so that a later start can find it. */
export function noteRunning(folder: string, running: RunningPlayground): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(runningFile(folder), JSON.stringify(running));
}

export function releaseFolder(folder: string): void {
	rmSync(runningFile(folder), { force: true });
}

function readRunning(folder: string): RunningPlayground | undefined {
	if (!existsSync(runningFile(folder))) return undefined;
	try {
		const stored: unknown = JSON.parse(readFileSync(runningFile(folder), 'utf8'));
		return {
			pid: Number(objectAt(stored).pid),
			editor: textAt(stored, 'editor'),
			children: listAt(stored, 'children').map(Number),
		};
	} catch {
		return undefined;
	}
}

/** A number may have gone to another process since: only what runs from this repository counts. */
function isPlayground(pid: number): boolean {
	if (!isAlive(pid)) return false;
	const commandLine = `/proc/${pid}/cmdline`;
	if (!existsSync(commandLine)) return process.platform !== 'linux';
	return /playground|service\/src\/main/.test(readFileSync(commandLine, 'utf8'));
}

async function endLeftover(pid: number): Promise<void> {
	if (!isPlayground(pid)) return;
	process.kill(pid, 'SIGTERM');
	for (let tries = 0; tries < 50 && isAlive(pid); tries++) {
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return isObject(error) && error.code === 'EPERM';
	}
}

function runningFile(folder: string): string {
	return join(folder, 'running.json');
}
