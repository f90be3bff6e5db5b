// Writes the JSON schema of task files, service/task.schema.json, from the schema in the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { taskFileSchema } from '../service/src/tasks/taskFileSchema.ts';
import { root } from './folders.mjs';

const file = join(root, 'service', 'task.schema.json');
const config = await resolveConfig(file);
writeFileSync(file, await format(JSON.stringify(taskFileSchema()), { ...config, filepath: file }));
process.stdout.write(`${file} is written.\n`);
