import { isTag, isText, Text, type ChildNode, type Element } from 'domhandler';
import { textContent } from 'domutils';
import { html, serialize } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { absoluteAddress } from '../../pages/absoluteAddress.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { all } from '../../pages/http/select.ts';
import { words } from '../selectors/words.ts';
import { numberOf } from './numbering.ts';
import { stillStyles } from './stillStyles.ts';

/** The attribute that tells the number of an element in the frame. */
const numberAttribute = 'data-pointing-number';

/** Elements that are shown empty: what is in them is no content, or that of someone else. */
const emptied = new Set([
	...words('script noscript template iframe frame frameset object embed applet portal fencedframe'),
	...words('audio video base'),
	// In these, and in comments, a browser may read something else than was read here.
	...words('svg math xmp noembed noframes plaintext'),
]);

/** Attributes that do something, besides those of events. */
const acting = new Set([
	...words(
		'action formaction autofocus autoplay download http-equiv ping popovertarget srcdoc target',
	),
	...words('data codebase manifest integrity nonce contenteditable inert accesskey tabindex'),
	// What is loaded only where it is seen would tell what was pointed at.
	...words('loading background'),
	// Sites are not told where their page is shown.
	'referrerpolicy',
	// By its name an element may take the place of what scripts use of the page.
	'name',
	'data-pointing-mark',
	numberAttribute,
]);

/** Attributes that lead elsewhere. */
const leading = new Set(words('href xlink:href src srcset'));

/** How what was pointed at looks, whatever the page says; and an icon that is not shown. */
const marks = `svg { width: 1em !important; height: 1em !important; outline: 1px dashed; overflow: hidden }
[data-pointing-mark] { outline-offset: 1px !important }
[data-pointing-mark~="entry"] { outline: 2px solid #1d56cf !important; background-color: rgb(29 86 207 / 8%) !important }
[data-pointing-mark~="column"] { outline: 2px dashed #0b6660 !important; background-color: rgb(11 102 96 / 14%) !important }
[data-pointing-mark~="next"] { outline: 2px solid #8a5200 !important; background-color: rgb(240 184 102 / 30%) !important }
[data-pointing-mark~="at"] { outline: 3px solid #d6336c !important; cursor: crosshair !important }`;

/** The texts of style sheets, by their addresses as pages name them. */
export type Styles = Record<string, string>;

/** The style sheets of a page: addresses as it names them, and whole. */
export function styleSheets({ page, base }: HtmlDocument): { href: string; url: string }[] {
	return all('link[rel~="stylesheet" i]:not([rel~="alternate" i])[href]', page)
		.map(({ attribs: { href = '' } }) => ({ href, url: absoluteAddress(href, base) }))
		.filter((sheet): sheet is { href: string; url: string } => sheet.url !== undefined);
}

/**
 * A page as it is shown to be pointed at: what it looks like without anything that it does. It is made
 * of what was read of it, element by element; each carries its number. `styles`: of its style sheets those
 * that came; `pictures`: where its pictures are to be asked for, by `?url=` and their addresses.
 */
export function framed(
	{ page, base }: Pick<HtmlDocument, 'page' | 'base'>,
	styles: Styles,
	pictures: string,
): string {
	const root = page.children.find(isTag);
	const copied = (element: Element): Element => {
		const picture = pictureOf(element, base);
		const attributes = Object.entries(element.attribs)
			.filter(([name]) => isKept(element, name))
			.map(([name, value]) => [name, name === 'style' ? stillStyles(value) : value] as const);
		const src = picture?.startsWith('data:')
			? picture
			: picture && `${pictures}?url=${encodeURIComponent(picture)}`;
		const own = [
			...(src === undefined ? [] : [['src', src] as const]),
			[numberAttribute, String(numberOf(element, page))] as const,
		];
		return made(element.name, [...attributes, ...own], inside(element));
	};
	const inside = (element: Element): ChildNode[] => {
		if (emptied.has(element.name)) return [];
		if (element.name === 'style') return [new Text(stillStyles(textContent(element)))];
		const isHead = element.name === 'head' && element.parent === root;
		return [...(isHead ? firstInHead(base.url) : []), ...element.children.flatMap(shown)];
	};
	const shown = (node: ChildNode): ChildNode[] => {
		if (isText(node)) return [new Text(node.data)];
		if (!isTag(node) || node.name === 'template') return [];
		return node.name === 'link' ? styleOf(node, styles) : [copied(node)];
	};
	const whole = made('body', [], root ? [copied(root)] : []);
	const markup = serialize<Htmlparser2TreeAdapterMap>(whole, { treeAdapter: adapter });
	return (page['x-mode'] === 'quirks' ? '' : '<!doctype html>') + markup;
}

/** Pictures of a page that are shown in its frame, and signs of the address of one: the service asks for each. */
const maxPictures = 500;
const maxAddress = 10_000;

/** The addresses of the pictures of a page that are shown in its frame, but for those that stand in the page itself. */
export function pictures({ page, base }: Pick<HtmlDocument, 'page' | 'base'>): string[] {
	const whole = all('img', page)
		.slice(0, maxPictures)
		.flatMap((element) => pictureOf(element, base) ?? []);
	return [...new Set(whole)].filter((url) => !url.startsWith('data:'));
}

/** The address of the picture that an element is: the first, where it has several for screens of several kinds. */
function pictureOf({ name, attribs }: Element, base: HtmlDocument['base']): string | undefined {
	if (name !== 'img') return undefined;
	const { src = '', srcset = '' } = attribs;
	const named = src.trim() || /[^\s,]+/.exec(srcset)?.[0];
	if (named === undefined || /^data:image\//i.test(named)) return named;
	const url = named.length <= maxAddress ? absoluteAddress(named, base) : undefined;
	return url !== undefined && url.length <= maxAddress && /^https?:/.test(url) ? url : undefined;
}

function made(name: string, attributes: (readonly [string, string])[], children: ChildNode[]) {
	const list = attributes.map(([name, value]) => ({ name, value }));
	const element = adapter.createElement(name, html.NS.HTML, list);
	for (const child of children) adapter.appendChild(element, child);
	return element;
}

function firstInHead(base: string): Element[] {
	const referrer = [['name', 'referrer'] as const, ['content', 'no-referrer'] as const];
	return [
		made('base', [['href', base]], []),
		made('meta', referrer, []),
		made('style', [], [new Text(marks)]),
	];
}

/** A style sheet stands in the page itself, so that a browser loads nothing for it. */
function styleOf({ attribs: { href = '', media, disabled } }: Element, styles: Styles): Element[] {
	const text = styles[href];
	if (text === undefined || disabled !== undefined) return [];
	return [
		made('style', media === undefined ? [] : [['media', media]], [new Text(stillStyles(text))]),
	];
}

function isKept(element: Element, name: string): boolean {
	if (emptied.has(element.name) || element.name === 'meta') return false;
	return !/^on/i.test(name) && !acting.has(name) && !leading.has(name);
}
