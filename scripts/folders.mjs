import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const playground = join(root, 'playground');

/** Where the packed packages wait to be installed, each in a folder of its own. Git-ignored. */
export const packedFolder = join(root, '.tmp', 'package');
