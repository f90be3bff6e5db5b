import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What package.json says to those who work in the repository, and to nobody who installs the package. */
const ofTheRepository = ['workspaces', 'scripts', 'devDependencies'];

/**
 * Makes of what npm has packed, unpacked in a folder, what is published: a package.json that names
 * nothing that is not there, and a README whose links and pictures lead to the files of this version.
 * @param {string} folder
 */
export function makePublished(folder) {
	const file = join(folder, 'package.json');
	/** @type {{ version: string, repository: { url: string, directory?: string } }} */
	const manifest = JSON.parse(readFileSync(file, 'utf8'));
	const published = Object.entries(manifest).filter(([key]) => !ofTheRepository.includes(key));
	writeFileSync(file, `${JSON.stringify(Object.fromEntries(published), undefined, 2)}\n`);
	const readme = join(folder, 'README.md');
	writeFileSync(readme, withWholeLinks(readFileSync(readme, 'utf8'), manifest));
}

/**
 * @param {string} text
 * @param {{ version: string, repository: { url: string, directory?: string } }} manifest
 */
function withWholeLinks(text, { version, repository: { url, directory = '' } }) {
	const repository = url.replace(/^git\+|\.git$/g, '');
	/** @param {string} kind @param {string} path */
	const whole = (kind, path) => {
		if (/^(?:[a-z][\w+.-]*:|#)/i.test(path)) return path;
		return `${repository}/${kind}/v${version}/${posix.join(directory, path)}`;
	};
	return text
		.replaceAll(/(!\[[^\]]*\]\()([^)]+)/g, (_, start, path) => start + whole('raw', path))
		.replaceAll(/\b((?:src|srcset)=")([^"]+)/g, (_, start, path) => start + whole('raw', path))
		.replaceAll(/(\]\()([^)]+)/g, (_, start, path) => start + whole('blob', path));
}
