/** An escape of CSS: up to six hexadecimal digits, or any other character. */
const escape = String.raw`\\(?:[\da-f]{1,6}[ \n\t]?|[^\n\da-f])`;
const name = `(?:[-\\w\\u0080-\\uffff]|${escape})+`;
const string = String.raw`"(?:\\[^]|[^"\\\n])*(?:"|$|(?=\n))|'(?:\\[^]|[^'\\\n])*(?:'|$|(?=\n))`;

/** The tokens of CSS as far as they tell what is a name, what is a function, and what is neither. */
const token = new RegExp(
	`(?<comment>/\\*[^]*?(?:\\*/|$))|(?<string>${string})|<!--|(?<name>[@#]?${name})(?<call>\\(?)|[\\s{}:;,.>]+|[^]`,
	'giy',
);
/** What stands behind "url(", with quotes around it and without. */
const quotedAddress = new RegExp(`\\s*(?:${string})\\s*\\)`, 'giy');
const address = /(?!\s*["'])(?:\\[^]|[^)\\])*(?:\)|$)/giy;

/** Functions by which a style loads something; `url` has a token of its own. */
const loading = new Set(['src', 'image', 'image-set', '-webkit-image-set']);

/**
 * Styles that load nothing: without `url()`, what else names a file, and `@import`. By what a page's own
 * styles load, where, say, the mouse is, they would tell its site what was pointed at.
 */
export function stillStyles(css: string): string {
	const text = css.replace(/\r\n?|\f/g, '\n').replaceAll('\0', '\ufffd');
	let still = '';
	let at = 0;
	const read = (pattern: RegExp) => {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		if (found) at = pattern.lastIndex;
		return found;
	};
	for (let found = read(token); found; found = read(token)) {
		const { comment, name: written = '', call } = found.groups ?? {};
		const called = call === '(' ? unescaped(written) : '';
		// Browsers may not agree on where such a name begins.
		if (/[^\0-\x7f](?:url|src|image|(?:-webkit-)?image-set)$/.test(called)) break;
		if (called === 'url') {
			still += (read(quotedAddress) ?? read(address)) ? 'none ' : 'without(';
		} else if (loading.has(called)) still += 'without(';
		else if (unescaped(written) === '@import') still += `@without${call}`;
		// Without it, what stands before and behind it would be one name.
		else still += comment === undefined ? found[0] : '/**/';
	}
	// In a style element, this alone ends it.
	return still.replaceAll('</', '<\\/');
}

/** A name as it is meant, in lower case. */
function unescaped(written: string): string {
	return written
		.replace(/\\(?:([\da-f]{1,6})\s?|([^]))/gi, (_, digits?: string, sign = '') =>
			digits === undefined ? String(sign) : characterOf(parseInt(digits, 16)),
		)
		.toLowerCase();
}

function characterOf(code: number): string {
	return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code);
}
