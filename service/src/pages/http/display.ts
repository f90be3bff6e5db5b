import { isTag, type Element, type ParentNode } from 'domhandler';
import { isForeign } from './select.ts';

/**
 * How a browser shows an element that no style sheet of the site changes:
 * - `none`: not at all
 * - `unseen`: nothing of it is seen in its place
 * - `block`: on lines of its own, or in a cell of a table
 * - `inline`: within the line
 * - `box`: within the line, but with lines of its own inside
 * - `replaced`: as something other than its content, which is there for browsers that can't
 * - `graphic`: as shapes; text that stands in it directly is none of them
 * - `closed`: a `details` of which only the summary is shown
 */
export type Display =
	'none' | 'unseen' | 'block' | 'inline' | 'box' | 'replaced' | 'graphic' | 'closed';

const displays: Record<Exclude<Display, 'inline' | 'closed' | 'unseen'>, string> = {
	none: `area base basefont datalist head link meta noembed noframes noscript param rp script style
		template title`,
	block: `address article aside blockquote body caption center colgroup dd details dialog dir div dl
		dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li
		listing main menu nav ol optgroup option p plaintext pre search section select summary table tbody td
		tfoot th thead tr ul xmp`,
	box: 'button marquee',
	replaced: 'audio canvas embed iframe img input meter progress textarea video',
	graphic: 'svg',
};

/** Inside of `svg`; what is not named here is a shape. */
const svgDisplays: Partial<Record<Display, string>> = {
	none: 'desc metadata script style title',
	block: 'foreignObject text',
	inline: 'a textPath tspan',
};

const html = byName(displays);
const svg = byName(svgDisplays);

/** Each is hidden without the attribute. */
const shownWith = new Map([
	['audio', 'controls'],
	['dialog', 'open'],
]);

/** How an element is shown, if all that it is in is shown. */
export function displayOf(element: Element): Display {
	const { name, attribs, namespace } = element;
	if (namespace?.endsWith('/svg')) return name === 'svg' ? 'graphic' : (svg.get(name) ?? 'graphic');
	if (namespace?.endsWith('/MathML')) return name.startsWith('annotation') ? 'none' : 'block';
	// Of XML, whose names say nothing of how they look.
	if (isForeign(element)) return 'inline';
	if (attribs.hidden?.toLowerCase() === 'until-found') return 'unseen';
	if (isHidden(element)) return 'none';
	if (name === 'details' && attribs.open === undefined) return 'closed';
	const display = html.get(name) ?? 'inline';
	return attribs.style === undefined ? display : styled(attribs.style, display);
}

/** Whether nothing is seen of an element, whatever it is in. */
export function leavesNothing(element: Element): boolean {
	const display = displayOf(element);
	return display === 'none' || display === 'unseen';
}

/** Whether an element is shown, as far as the HTML says: it, and all that it is in. */
export function isShown(element: Element): boolean {
	for (let each: ParentNode | null = element; each && isTag(each); each = each.parent) {
		if (leavesNothing(each)) return false;
	}
	return true;
}

function isHidden({ name, attribs }: Element): boolean {
	if (attribs.hidden !== undefined || attribs.popover !== undefined) return true;
	if (name === 'input') return attribs.type?.toLowerCase() === 'hidden';
	if (name === 'object') return attribs.data !== undefined;
	const attribute = shownWith.get(name);
	return attribute !== undefined && attribs[attribute] === undefined;
}

/** What an attribute `style`, which is part of the HTML, changes. */
function styled(style: string, display: Display): Display {
	if (display === 'none' && !/display/i.test(style)) return display;
	const values = new Map<string, string>();
	for (const declaration of style.toLowerCase().split(';')) {
		const [property = '', value = ''] = declaration.split(':');
		values.set(property.trim(), value.replace('!important', '').trim());
	}
	const wanted = values.get('display');
	if (wanted === 'none') return 'none';
	const isUnseen =
		values.get('visibility') === 'hidden' || values.get('content-visibility') === 'hidden';
	if (isUnseen) return 'unseen';
	if (display === 'replaced') return display;
	if (wanted === 'inline' || wanted === 'contents') return 'inline';
	if (wanted?.startsWith('inline')) return 'box';
	const isOutOfLine =
		/^(left|right)$/.test(values.get('float') ?? '') ||
		/^(absolute|fixed)$/.test(values.get('position') ?? '');
	return wanted !== undefined || isOutOfLine ? 'block' : display;
}

function byName(names: Partial<Record<Display, string>>): Map<string, Display> {
	const map = new Map<string, Display>();
	const kinds: Display[] = ['none', 'block', 'inline', 'box', 'replaced', 'graphic'];
	for (const kind of kinds) {
		for (const name of names[kind]?.split(/\s+/) ?? []) map.set(name, kind);
	}
	return map;
}
