/** Which entry of a page has failed, for people who see the page and no selector; any other place as it is. */
export function placeInWords(what: string): string {
	const [, number] = /^element (\d+) of /.exec(what) ?? [];
	return number === undefined ? what : `Entry ${number} of the list on the page (${what})`;
}
