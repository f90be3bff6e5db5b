import type { BrowserContext, Page as Tab } from 'playwright-core';

/**
 * Opens a tab in the place of all others of a context but those that are kept. Windows that pages open from then on are
 * closed: who reads a page is in the one of it, and each takes as much memory as a page.
 */
export async function openOnlyTab(context: BrowserContext, kept: Tab[] = []): Promise<Tab> {
	const close = (other: Tab) => void other.close().catch(() => undefined);
	context.removeAllListeners('page');
	const tab = await context.newPage();
	context.on('page', close);
	for (const other of context.pages()) if (other !== tab && !kept.includes(other)) close(other);
	return tab;
}
