import { z } from 'zod';
import { isPartlyOfPage } from '../pages/scopedSelector.ts';
import { shortened } from '../text/shortened.ts';
import { isSelector } from './isSelector.ts';

/**
 * Stands for the service's own address at the beginning of a task's URL, so that demo tasks work on
 * any port.
 */
const sitePlaceholder = /^\{site\}(?=\/)/;

/** The address that a URL of a task stands for; `site`: that of the service. */
export function addressOf(url: string, site: string): string {
	return url.replace(sitePlaceholder, site);
}

export const maxLoopTimes = 100_000;

/** True for an http(s) address, or one below the service's own (`{site}/…`). */
export function isPageUrl(url: string): boolean {
	const address = addressOf(url, 'http://site');
	// Of half a million addresses, to take each one to pieces would keep others waiting for seconds.
	if (/^https?:/i.test(address)) return URL.canParse(address);
	return /^https?:$/.test(URL.parse(address)?.protocol ?? '');
}

/** Why a text is none: a sentence. */
export function noPageUrl(text: string): string {
	return `"${shortened(text)}" is not an http or https URL, such as https://example.com/list.`;
}

/** Headers that belong to the connection, to the sent form, or to a setting of their own. */
const otherHeaders =
	/^(connection|content-(length|type)|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** True for the name of a header that a task may set. */
export function isHeaderName(name: string): boolean {
	return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !otherHeaders.test(name);
}

/** True for what may stand in a header: Latin letters and signs, no line breaks. */
export function isHeaderValue(text: string): boolean {
	return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text === text.trim();
}

/** A name that people can see. */
export const name = z.string().min(1).regex(/\S/, { error: 'must have a letter or sign' });

export const id = z
	.uuid({
		error:
			'must be a UUID (8-4-4-4-12 hexadecimal digits; the third group begins with 1 to 8, the fourth with 8, 9, a or b)',
	})
	.describe('A UUID, in whichever case.');

const noUrl = 'must be an http or https URL, or begin with {site}/';
const anyUrl =
	'An http or https URL; {site} at its beginning stands for the address of the service itself, as in {site}/shop/.';

export const url = z.string().refine(isPageUrl, { error: noUrl }).describe(anyUrl);

/** Mistakes of a task that are told at once. */
export const maxMistakes = 5;

/** A list may be very long, and each issue costs more than a good URL: there are none of what is only counted (`more`). */
export const urls = z
	.array(z.string().describe(anyUrl))
	.min(1)
	.superRefine((list, context) => {
		const wrong: number[] = [];
		for (const [index, text] of list.entries()) if (!isPageUrl(text)) wrong.push(index);
		for (const [told, index] of wrong.slice(0, maxMistakes).entries()) {
			const more = told === 0 ? Math.max(0, wrong.length - maxMistakes) : 0;
			context.addIssue({ code: 'custom', path: [index], message: noUrl, params: { more } });
		}
	});

/** Why people take a text for a selector that is none, by what they write. */
const noSelectors: [RegExp, string][] = [
	[/^\s*\(*\.?\//, 'this is XPath'],
	[/:contains\(/i, ':contains() is no CSS; a field can take what a "match" finds in its text'],
	[
		/::?(text|attr)\b/i,
		'a field takes the text by itself, and an attribute that "attribute" names',
	],
	[
		/:(lang|dir|focus|nth-(last-)?child\([^:)]* of )|::/i,
		'http pages do not know this part of CSS',
	],
];

/** What to do about it. A number as the value of an attribute is no CSS without quotes. */
function selectorHint(written: unknown): string {
	const text = String(written);
	const quoted = text.replace(/=\s*([^"'\s\]=]+)\s*\]/g, '="$1"]');
	if (isSelector(quoted)) return ` (write ${quoted})`;
	const [, reason] = noSelectors.find(([pattern]) => pattern.test(text)) ?? [];
	return reason === undefined ? '' : ` (${reason})`;
}

export const selector = z
	.string()
	.refine(isSelector, {
		error: ({ input }) => `must be a CSS selector${selectorHint(input)}`,
		abort: true,
	})
	.refine((text) => !isPartlyOfPage(text), {
		error:
			'must begin with :root in each part of the list, or in none: such a selector counts from the page',
	})
	.describe(
		'A CSS selector; inside of the element of the round in a loop over elements, unless it begins with :root.',
	);

/** How often a loop may run. */
export const loopTimes = z
	.int()
	.min(1)
	.max(maxLoopTimes)
	.describe('How often the steps are repeated: 1 to 100,000.');
