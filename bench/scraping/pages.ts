import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import packages from '../../test/long/foreign/packages.json' with { type: 'json' };

/**
 * So many pages of Debian's documentation, the same ones in the same order each time: from the
 * smallest to the largest at even distances, then mixed, so that large ones do not come together.
 */
export function documentationFiles(count: number): string[] {
	const names = packages.flatMap(({ packages: ofGenerator }) => ofGenerator);
	const listed = execFileSync('dpkg-query', ['-L', ...names], { encoding: 'utf8' }).split('\n');
	const files = listed
		.filter((file) => file.endsWith('.html') && lstatSync(file).isFile())
		.map((file) => ({ file, size: readFileSync(file).length }))
		.sort((one, other) => one.size - other.size || (one.file < other.file ? -1 : 1));
	if (files.length < count) {
		throw new Error(`The documentation has ${files.length} pages, not ${count}.`);
	}
	const step = (files.length - 1) / (count - 1);
	const taken = Array.from({ length: count }, (_, index) => files[Math.round(index * step)].file);
	return taken.map((_, index) => taken[(index * stride) % count]);
}

/** A prime that divides no round number, so that each page comes once. */
const stride = 619;
