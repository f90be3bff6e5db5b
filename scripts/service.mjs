// The service from its sources, in the repository: its data and tasks are in folders beside them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './folders.mjs';

const service = join(root, 'service');
process.env.SERVICE_DATA ||= join(service, 'data', 'service.db');
process.env.SERVICE_TASKS ||= join(service, 'tasks');
// npm has gone to the folder of the package; a path is meant from where the user is.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import(pathToFileURL(join(service, 'src', 'main.ts')).href);
