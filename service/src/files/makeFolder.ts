import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** With those above it. Not left to Node.js (`recursive`), which tries for ever where nothing can be made, as in /proc. */
export function makeFolder(path: string): void {
	if (existsSync(path)) return;
	makeFolder(dirname(path));
	mkdirSync(path);
}
