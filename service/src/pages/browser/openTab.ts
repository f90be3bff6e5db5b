import type { BrowserContext, Page as Tab } from 'playwright-core';

/**
 * Opens a tab beside those of `own`, in the place of all others of a context. Windows that pages open from then
 * on are closed: who reads a page is in the one of it, and each takes as much memory as a page.
 */
export async function openTab(context: BrowserContext, own: Set<Tab>): Promise<Tab> {
	const close = (other: Tab) => void other.close().catch(() => undefined);
	context.removeAllListeners('page');
	const tab = await context.newPage();
	own.add(tab);
	context.on('page', close);
	for (const other of context.pages()) if (!own.has(other)) close(other);
	return tab;
}
