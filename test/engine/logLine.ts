import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { logFile } from './engineEnvironment';

/** The line of n8n's log that holds `text`: it is written a little later. */
export async function logLine(text: string): Promise<string | undefined> {
	for (let tries = 0; tries < 50; tries++) {
		const line = readFileSync(logFile, 'utf8')
			.split('\n')
			.find((line) => line.includes(text));
		if (line !== undefined) return line;
		await wait(20);
	}
	return undefined;
}
