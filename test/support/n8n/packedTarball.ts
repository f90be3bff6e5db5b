import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The package as it would be published; built anew if a source has changed since. */
export function packedTarball(): string {
	const script = join(__dirname, '..', '..', '..', 'scripts', 'pack.mjs');
	return execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim();
}
