import { extname } from 'node:path';

/**
 * The file that a thread runs, by its place from the module at `base`, which is of the same kind: a
 * source, or what it was compiled to. Compilers rewrite imports alone.
 */
export function threadFile(path: string, base: string): URL {
	return new URL(`${path}${extname(base)}`, base);
}
