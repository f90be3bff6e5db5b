/// <reference lib="dom" />
import { z } from 'zod';
import type { DocumentState } from './documentState.ts';
import type { OpenedTab } from './openedTab.ts';
import { saysMore } from '../saysNext.ts';

/** Words of a button that shows more of a text. */
const aboutText =
	/(?<!\p{L})(read|learn|find out|info|details?|about|lesen|erfahren|lire|savoir|leer|saber|leggi|scopri|lees|ler|läs|læs|les|czytaj|číst|читать)(?!\p{L})/iu;

/** A button that stays on its page shows all of what is above it where it names nothing else. */
const showsAll = /^(view|see)( (all|of|them|results|items|\d+))+$/i;

const labelsShape = z.array(z.string().max(60)).max(10).catch([]);

/**
 * Why rows may be missing behind the last of these: a button that stands right behind it brings more of them, by what it
 * says. A list may go on by itself for some rounds, and then by a click alone.
 */
export async function leftToClicks(
	{ world }: OpenedTab,
	rows: string,
): Promise<string | undefined> {
	const labels = labelsShape.parse(await world.call(buttonsBehind, { rows }));
	const label = labels.find(
		(each) => (saysMore(each) && !aboutText.test(each)) || showsAll.test(each),
	);
	if (label === undefined) return undefined;
	return `Scrolling has brought nothing new, and behind the last of ${rows} stands “${label}”: where that adds to the list, the rows that it brings are missing; a loop by page clicks it until all are there.`;
}

/** Runs in the page, so it can use nothing that is outside of it. What the buttons say that stand right behind the last row. */
function buttonsBehind(
	{ own, loopElements }: DocumentState,
	{ rows }: { rows: string },
): readonly string[] {
	const row = loopElements.all(document, rows).at(-1);
	if (!row) return [];
	const { bottom } = own(row).getBoundingClientRect();
	/** Whether the text between is a short one: behind a longer one, a button shows more of that. */
	const isShortUpTo = (each: Element) => {
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		walker.currentNode = row;
		let length = 0;
		while (length <= 200 && walker.nextNode() && !own(each).contains(walker.currentNode)) {
			const { parentElement, nodeValue } = own(walker.currentNode);
			if (!parentElement || own(row).contains(walker.currentNode)) continue;
			if (own(parentElement).checkVisibility()) length += nodeValue?.trim().length ?? 0;
		}
		return length <= 200;
	};
	const isBehind = (each: Element) => {
		const { top, height } = own(each).getBoundingClientRect();
		const isNear = height > 0 && top >= bottom - 1 && top < bottom + innerHeight;
		const place = own(row).compareDocumentPosition(each);
		return isNear && (place & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && !own(row).contains(each);
	};
	/** What adds to a list may be a link for those without scripts; another one lists other things. */
	const staysHere = (each: Element) => {
		const href = own(each).getAttribute('href');
		if (href === null || /^\s*(#|javascript:)/i.test(href)) return true;
		return URL.parse(href, document.baseURI)?.pathname.startsWith(location.pathname) === true;
	};
	const isOpen = (each: Element) =>
		!own(each).matches(':disabled, [aria-disabled="true"], [inert] *') &&
		own(each).checkVisibility({ visibilityProperty: true, opacityProperty: true });
	const labelOf = (each: Element) =>
		own(each).textContent?.trim() ||
		(own(each).getAttribute('aria-label') ?? own(each).getAttribute('value') ?? '');
	const kinds = 'button, a, [role="button"], input[type="button"], input[type="submit"]';
	return [...document.querySelectorAll(kinds)]
		.filter((each) => isBehind(each) && staysHere(each) && isOpen(each) && isShortUpTo(each))
		.map((each) => labelOf(each).replace(/\s+/g, ' '))
		.filter((label) => label.length <= 60)
		.slice(0, 10);
}
