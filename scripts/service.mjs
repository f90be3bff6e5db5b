// The service from its sources, in the repository: its data and tasks are in folders beside them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './folders.mjs';

const service = join(root, 'service');
process.env.SERVICE_DATA ||= join(service, 'data', 'service.db');
process.env.SERVICE_TASKS ||= join(service, 'tasks');
// npm has gone to the folder of the package; a path is meant from where the user is.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
// npm finds the Node.js 24 that set-up has installed; an older one knows no TypeScript.
const isSetUp = existsSync(join(root, 'node_modules', 'fastify'));
if (isSetUp && Number.parseInt(process.versions.node) >= 24) {
	await import(pathToFileURL(join(service, 'src', 'main.ts')).href);
} else {
	process.stderr.write('Run npm run setup first, then npm run service.\n');
	process.exitCode = 1;
}
