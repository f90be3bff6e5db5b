import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import packages from './packages.json';

/** Pages taken of each generator: 400 of all eight. */
const pagesOfEach = 50;

export const generators = packages.map(({ generator }) => generator);

/** A page that nobody here wrote: its file, and the program that made it. */
export interface DocumentationPage {
	generator: string;
	file: string;
}

/**
 * The pages to read, always the same ones for the same packages: of each generator the smallest, the
 * largest, and those that lie evenly between. Throws where a package is missing or has too few.
 */
export function documentationPages(): DocumentationPage[] {
	return packages.flatMap(({ generator, mark, packages: names }) => {
		const made = names.flatMap(htmlFilesOf).filter((file) => readFileSync(file).includes(mark));
		if (made.length < pagesOfEach) {
			throw new Error(
				`${names.join(', ')} has ${made.length} pages that ${generator} made ("${mark}"), not ${pagesOfEach}. Name another package in test/foreign/packages.json.`,
			);
		}
		return spread(made).map((file) => ({ generator, file }));
	});
}

/** The HTML files of an installed package, without links to others. */
function htmlFilesOf(name: string): string[] {
	const files = execFileSync('dpkg-query', ['-L', name], { encoding: 'utf8' }).split('\n');
	return files.filter((file) => file.endsWith('.html') && lstatSync(file).isFile());
}

function spread(files: string[]): string[] {
	const size = new Map(files.map((file) => [file, lstatSync(file).size]));
	const bySize = [...files].sort(
		(one, other) => (size.get(one) ?? 0) - (size.get(other) ?? 0) || (one < other ? -1 : 1),
	);
	const step = (bySize.length - 1) / (pagesOfEach - 1);
	return Array.from({ length: pagesOfEach }, (_, index) => bySize[Math.round(index * step)] ?? '');
}
