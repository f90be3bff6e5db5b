import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes its settings below this folder as soon as it is loaded: import this file first.
const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = folder;

afterAll(() => rmSync(folder, { recursive: true, force: true }));
