import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultsFolder } from '../ground/folders.ts';

/** Keeps what a run has measured, so that its tables can be counted again. */
export function writeRawResult(name: string, measured: object): void {
	writeResult(`${name}.json`, `${JSON.stringify(measured, undefined, '\t')}\n`);
}

export function writeResult(file: string, text: string): void {
	mkdirSync(resultsFolder, { recursive: true });
	writeFileSync(join(resultsFolder, file), text);
}
