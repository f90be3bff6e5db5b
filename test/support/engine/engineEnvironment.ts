import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));

/** What n8n logs in this worker, at the level "debug". */
export const logFile = join(folder, 'n8n.log');
// n8n makes it some time after it has written its first line, and then goes on in what is there.
writeFileSync(logFile, '');

// n8n-core reads these as soon as it is loaded: import this file first.
Object.assign(process.env, {
	N8N_USER_FOLDER: folder,
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'file',
	N8N_LOG_FILE_LOCATION: logFile,
});

// The files of a worker share what is loaded.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
