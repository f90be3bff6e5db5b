/// <reference lib="dom" />
import type { Entered, Selectors } from '../page.ts';
import { isOfPage, scopedSelector } from '../scopedSelector.ts';
import type { DocumentState } from './documentState.ts';
import { inside } from './elements.ts';
import { goBackIn, type KnownDocument } from './knownDocument.ts';
import type { OpenedTab } from './openedTab.ts';
import type { PageUse } from './pageUse.ts';

// A page of which only the address has changed since an element was entered may be another one, as a page of its own of
// that entry is; or it may have opened that where it stands.

/** What is done with the elements that were entered. */
export type WorkInside<Result> = (opened: OpenedTab, entered: Entered[]) => Promise<Result>;

/** A selector that counts from the element, and the same for the page. */
interface Meant {
	scoped: string;
	selector: string;
}

/**
 * The elements that these selectors count from, each one inside of the one before: where the address has changed, what was
 * entered before, from then on, if it is still to be seen, and any of them finds something in it, or all that they find on
 * the page stands in others of its list.
 */
export async function enteredFor(
	{ world }: OpenedTab,
	use: PageUse,
	selectors: Selectors,
): Promise<Entered[]> {
	const { left } = use;
	const own = selectors.filter((each) => each === undefined || !isOfPage(each));
	if (left.length === 0 || use.entered.length > 0 || own.length === 0) return use.entered;
	const { scope } = inside(left, {});
	const named = own.filter((each) => each !== undefined);
	const meant = named.map((selector) => ({ scoped: scopedSelector(selector), selector }));
	const asked = { scope, meant, isOfItself: named.length < own.length };
	const isMeant = world.call(isMeantInPage, asked).catch(() => false);
	if ((await isMeant) === true) [use.entered, use.left] = [left, []];
	return use.entered;
}

/**
 * Goes back to a document that is still there: as people do, or where that brings nothing and the list still stands, by
 * leaving it as it is. Resolves to false where neither is to be had.
 */
export async function backIn(
	opened: OpenedTab,
	use: PageUse,
	document: KnownDocument,
): Promise<boolean> {
	return (await goBackIn(opened, document)) || staysOpen(opened, use, document);
}

/**
 * Whether scripts have done no more to a document than give it another address: the element that was entered there is still
 * to be seen. Then it is open, and its address is that one from now on.
 */
async function staysOpen(
	{ tab, world }: OpenedTab,
	{ entered, left }: PageUse,
	document: KnownDocument,
): Promise<boolean> {
	const entry = left.length > 0 ? left : entered;
	if (document.now?.id !== world.documentId || entry.length === 0) return false;
	const asked = { scope: inside(entry, {}).scope, meant: [], isOfItself: true };
	if (!(await world.call(isMeantInPage, asked))) return false;
	document.now = { id: world.documentId, url: tab.url() };
	return true;
}

/** Does something with these. */
export async function inEntered<Result>(
	opened: OpenedTab,
	use: PageUse,
	{ selectors, work }: { selectors: Selectors; work: WorkInside<Result> },
): Promise<Result> {
	const entered = await enteredFor(opened, use, selectors);
	opened.elements.left = use.left;
	return work(opened, entered);
}

/** Runs in the page, so it can use nothing that is outside of it. */
function isMeantInPage(
	{ own, loopElements, seenAt, leftView }: DocumentState,
	{ scope, meant, isOfItself }: { scope: Entered[]; meant: Meant[]; isOfItself: boolean },
): boolean {
	const known = loopElements.knownIn(scope);
	if (!known || !seenAt(known.element) || leftView.holds(known.element)) return false;
	const { element: entry, list: others } = known;
	if (isOfItself || meant.some(({ scoped }) => loopElements.all(entry, scoped).length > 0))
		return true;
	const list = new Set(others);
	const isInOther = (found: Element) => {
		let outer = own(found).parentElement;
		while (outer && !list.has(outer)) outer = own(outer).parentElement;
		return outer !== null;
	};
	const onPage = meant.flatMap(({ selector }) => loopElements.all(document, selector));
	return onPage.length > 0 && onPage.every(isInOther);
}
