/** The number of a batch in an address: behind "batch" or "batches", in its path or in a parameter of it. */
const inAddress = /[/?&#]batch(?:es)?(?:[/=]|id=)(\d+)(?![\w.-])/gi;

/**
 * The batch ID that was entered: of the address of a page about one batch, such as one of a service's
 * console, the ID in it; any other text as it is.
 */
export function batchIdOf(text: string): string {
	if (!isAddress(text)) return text;
	const ids = new Set([...text.matchAll(inAddress)].map(([, id]) => id));
	return ids.size === 1 ? [...ids][0] : text;
}

/** Whether a text is a web address, which is no ID by itself. */
export function isAddress(text: string): boolean {
	return /^https?:\/\//i.test(text);
}
