import type { Page as Tab } from 'playwright-core';
import { isErrorPage } from './failures.ts';

/**
 * Has a tab ask for an address, and resolves when the answer begins. Chromium's own page about an
 * address that has failed may come after the next one was asked for, which Playwright takes for the end
 * of that: then it is asked for once more (https://github.com/microsoft/playwright/issues/35944).
 */
export async function goTo(tab: Tab, url: string, timeout: number): Promise<void> {
	const go = () => tab.goto(url, { waitUntil: 'commit', timeout });
	await go().catch(async (error: unknown) => {
		if (!isErrorPage(error)) throw error;
		await go();
	});
}
