import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const packageFile = join(import.meta.dirname, '..', '..', 'package.json');

const shape = z.object({ version: z.string() });

/** The version of this package: as it was at the start, whatever becomes of its files while the process runs. */
export const { version } = shape.parse(JSON.parse(readFileSync(packageFile, 'utf8')));
