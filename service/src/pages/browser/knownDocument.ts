import type { OpenedTab } from './openedTab.ts';

/** A document that was accepted. Scripts may take it to another address: there it is another one. */
export interface KnownDocument {
	/** What brings it again. */
	readonly address: string;
	/** Whether a sent form has made it, so that its address may bring another one. */
	readonly isMade: boolean;
	/** By which it is known while it is open; absent where it is not to be had any more. */
	now: { id: string; url: string } | undefined;
}

/** The document that is open in a tab: the one that was known last, or another one. */
export function documentIn(
	{ tab, world, network }: OpenedTab,
	last: KnownDocument | undefined,
): KnownDocument {
	const now = { id: world.documentId, url: tab.url() };
	if (last?.now?.id === now.id && last.now.url === now.url) return last;
	const isMade = network.hasOpened && !network.openedByAddress;
	return { address: now.url, isMade, now };
}
