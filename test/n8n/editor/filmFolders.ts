import { join } from 'node:path';

/** Where the film is made. */
export const filmFolder = join(__dirname, '..', '..', '..', '.tmp', 'film');

/** What stands first on the PATH of its n8n. */
export const npmFolder = join(filmFolder, 'bin');
