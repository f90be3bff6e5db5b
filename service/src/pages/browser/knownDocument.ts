/// <reference lib="dom" />
import type { DocumentState } from './documentState.ts';
import type { OpenedTab } from './openedTab.ts';

/** As browsers have it: https://html.spec.whatwg.org/multipage/nav-history-apis.html#navigation-api. */
declare const navigation: {
	currentEntry: HistoryEntry | null;
	entries(): HistoryEntry[];
	traverseTo(key: string): { finished: Promise<unknown> };
};
interface HistoryEntry {
	index: number;
	key: string;
	url: string | null;
	sameDocument: boolean;
}

/** A document that was accepted. Scripts may take it to another address: there it is another one. */
export interface KnownDocument {
	/** What brings it again. */
	readonly address: string;
	/** Whether a sent form has made it, so that its address may bring another one. */
	readonly isMade: boolean;
	/** Whether its address was asked for by a GET, as where the answer to that form has led there. */
	readonly isGot: boolean;
	/** Whether a script has taken it to its address, which may bring another one as well, or none. */
	readonly isMoved: boolean;
	/** By which it is known while it is open; absent where it is not to be had any more. */
	now: { id: string; url: string } | undefined;
}

/** Whether a document is open in a tab. */
export function isOpenIn({ tab, world }: OpenedTab, { now }: KnownDocument): boolean {
	return now?.id === world.documentId && now.url === tab.url();
}

/** Whether what is open stands at the address of a document that a form has made: not in its place if only that was got. */
export function standsFor(open: KnownDocument | undefined, document: KnownDocument): boolean {
	if (!document.isMade || open?.now?.url !== document.address) return false;
	return open.isGot || !document.isGot;
}

/** The document that is open in a tab: the one that was known last, or another one. */
export function documentIn(opened: OpenedTab, last: KnownDocument | undefined): KnownDocument {
	if (last && isOpenIn(opened, last)) return last;
	const { tab, world, network } = opened;
	const now = { id: world.documentId, url: tab.url() };
	const isMade = network.hasOpened && !network.navigations.openedByAddress;
	const isMoved = last?.now?.id === now.id;
	return { address: now.url, isMade, isGot: network.navigations.openedByGet, isMoved, now };
}

/**
 * Goes back to where a document was before its scripts have shown something else in it at another address, as people do:
 * what clicks had made is there again, if the scripts bring it. Resolves to false where that is not to be had.
 */
export async function goBackIn(opened: OpenedTab, document: KnownDocument): Promise<boolean> {
	if (document.now?.id !== opened.world.documentId) return false;
	await opened.network.settleAfter(() => opened.world.call(goBackInPage, document.now?.url));
	return isOpenIn(opened, document);
}

/** Runs in the page, so it can use nothing that is outside of it. */
function goBackInPage(_state: DocumentState, wanted: string | undefined): void {
	const here = navigation.currentEntry?.index ?? 0;
	const entries = navigation.entries().slice(0, here);
	const before = entries.findLast(({ sameDocument, url }) => sameDocument && url === wanted);
	// Scripts may go elsewhere instead.
	if (before) void navigation.traverseTo(before.key).finished.catch(() => undefined);
}
