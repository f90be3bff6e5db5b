import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { LoggerProxy } from 'n8n-workflow';

import { logFile } from './engineEnvironment';

let begin = 0;

/** From here on, what was logged before is passed over. */
export function beginLog(): void {
	begin = logged().length;
}

const logged = () => readFileSync(logFile, 'utf8');

/** The line of n8n's log that holds `text`: n8n writes its lines a little later. */
export async function logLine(text: string): Promise<string | undefined> {
	for (let tries = 0; tries < 500; tries++) {
		const line = logged()
			.slice(begin)
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
	return logged().slice(begin);
}
