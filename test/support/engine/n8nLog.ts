import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { LoggerProxy } from 'n8n-workflow';

import { logFile } from './engineEnvironment';

/** The line of n8n's log that holds `text`: n8n writes its lines a little later. */
export async function logLine(text: string): Promise<string | undefined> {
	for (let tries = 0; tries < 500; tries++) {
		const line = readFileSync(logFile, 'utf8')
			.split('\n')
			.find((line) => line.includes(text));
		if (line !== undefined) return line;
		await wait(20);
	}
	return undefined;
}

/** All that n8n has logged so far: lines keep their order, so one of our own comes after them. */
export async function wholeLog(): Promise<string> {
	const end = `end of the log ${randomUUID()}`;
	LoggerProxy.info(end);
	if ((await logLine(end)) === undefined) throw new Error('n8n wrote no log within ten seconds');
	return readFileSync(logFile, 'utf8');
}
