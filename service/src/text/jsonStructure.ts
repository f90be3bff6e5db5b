/** How much structure a JSON text has. */
export interface JsonStructure {
	/** Values, but for what lists of texts hold. */
	parts: number;
	/** Texts that begin a list or stand behind a comma. */
	texts: number;
	/** How many lists and objects are within one another. */
	depth: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts by looking at signs alone, also of what is no JSON, until there are too many values: to read what has much structure, and to check it, takes many
 * times as long.
 */
export function structureOf(json: string): JsonStructure {
	const found = { parts: 0, texts: 0, depth: 0 };
	let depth = 0;
	let isText = false;
	/** The last sign outside of texts that is no space. */
	let last = 0;
	for (let at = 0; at < json.length && !hasTooManyValues(found); at += 1) {
		const sign = json.charCodeAt(at);
		if (isText) {
			if (sign === backslash) at += 1;
			else if (sign === quote) isText = false;
			continue;
		}
		if (sign <= 0x20) continue;
		if (sign === quote) {
			isText = true;
			// A comma counts until it is known what follows.
			if (last === comma) found.parts -= 1;
			if (last === comma || last === openList) found.texts += 1;
		} else if (sign === comma || sign === colon) {
			found.parts += 1;
		} else if (sign === openList || sign === openObject) {
			if (last !== comma && last !== colon) found.parts += 1;
			depth += 1;
			found.depth = Math.max(found.depth, depth);
		} else if (sign === closeList || sign === closeObject) {
			depth -= 1;
		}
		last = sign;
	}
	return found;
}

/** What is read of a task, or put in the place of its values. */
export const mostValues = '20,000 values, or 1,000,000 texts in its lists';

export function hasTooManyValues({ parts, texts }: JsonStructure): boolean {
	return parts > 20_000 || texts > 1_000_000;
}
