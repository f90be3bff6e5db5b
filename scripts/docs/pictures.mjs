import { pages, trackedFiles } from './pages.mjs';

const folder = 'docs/images/';

/** Pictures that no page shows, and those for light screens without one for dark ones. @returns {string[]} */
export function strayPictures() {
	const pictures = trackedFiles.filter((path) => path.startsWith(folder));
	const shown = pages.map(({ text }) => text).join('\n');
	const unseen = pictures.filter((path) => !shown.includes(path.slice('docs/'.length)));
	const alone = pictures.filter((path) => {
		const other = path.replace(/-(light|dark)\.png$/, (end) =>
			end.startsWith('-light') ? '-dark.png' : '-light.png',
		);
		return other !== path && !pictures.includes(other);
	});
	return [
		...unseen.map((path) => `${path}: no page shows this picture`),
		...alone.map((path) => `${path}: its twin for light or dark screens is not there`),
	];
}
