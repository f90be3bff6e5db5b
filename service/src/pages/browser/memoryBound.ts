import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium, CDPSession } from 'playwright-core';

/** Milliseconds between two looks. */
const interval = 500;
/** Bytes of a page of memory: on some ARM machines it has more. */
const pageSize = 4_096;

/**
 * Megabytes that the processes of a browser may take, by what Chromium calls their types. The one by which it draws takes 70
 * for usual pages, and as many gigabytes as it likes for a page of blurs, which stay when that is gone; its main one, by which
 * pages tell each other something, 100. A page has the memory that its scripts can fill.
 */
export const memoryLimits = { GPU: 1_000, browser: 2_000, utility: 2_000, renderer: 4_000 };

interface Process {
	type: keyof typeof memoryLimits;
	id: number;
}

/** The main processes of browsers, as far as they are known. */
const mains = new WeakMap<Chromium, number>();

/**
 * Ends a browser as in a crash, however busy it is, and whatever it would do before; so are its pages tried again in another
 * one.
 */
export function endBrowser(chromium: Chromium): void {
	const main = mains.get(chromium);
	if (main !== undefined && chromium.isConnected()) end(main);
	else void chromium.close().catch(() => undefined);
}

/**
 * Ends the process of a browser that takes too much memory. In the place of the one that draws, Chromium starts another,
 * which no page notices; a page whose process ends has crashed. Where it is a process for all pages, the browser ends. Only
 * Linux says what a process takes.
 */
export async function boundMemory(
	chromium: Chromium,
	log: FastifyBaseLogger,
	limits = memoryLimits,
): Promise<void> {
	const session = await chromium.newBrowserCDPSession();
	let processes: Process[] = [];
	let isAsked = false;
	const ask = async () => {
		isAsked = true;
		processes = await processesOf(session);
		const main = processes.find(({ type }) => type === 'browser');
		if (main) mains.set(chromium, main.id);
		isAsked = false;
	};
	while (chromium.isConnected()) {
		// One that is flooded does not answer: its processes are known by then.
		if (!isAsked) void ask();
		for (const { type, id } of processes) {
			const megabytes = Math.round(await megabytesOf(id));
			if (megabytes <= limits[type]) continue;
			log.warn({ type, megabytes }, 'browser process ended: too much memory');
			if (type === 'utility') endBrowser(chromium);
			else end(id);
		}
		await sleep(interval, undefined, { ref: false });
	}
}

/** None of a browser that has ended. */
async function processesOf(session: CDPSession): Promise<Process[]> {
	const asked = session.send('SystemInfo.getProcessInfo');
	const { processInfo } = await asked.catch(() => ({ processInfo: [] }));
	return processInfo.flatMap(({ type, id }) => (isKnown(type) ? [{ type, id }] : []));
}

function isKnown(type: string): type is Process['type'] {
	return Object.hasOwn(memoryLimits, type);
}

/** 0 of one that has ended. */
async function megabytesOf(processId: number): Promise<number> {
	const said = await readFile(`/proc/${processId}/statm`, 'utf8').catch(() => '');
	return (Number(said.split(' ')[1] ?? 0) * pageSize) / 1e6;
}

function end(processId: number): void {
	try {
		process.kill(processId, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
}
