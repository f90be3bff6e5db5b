import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../service/chromium';
import { setTimeouts } from '../service/console';

/** Shared by the files of a worker; ends with it. */
let launched: Promise<Browser> | undefined;

/**
 * Has the tests of a block share a Chromium; what this returns gives it, once the block has begun. A
 * test that fails shows the pages that it had open.
 */
export function useChromium(): () => Browser {
	let browser: Browser | undefined;
	beforeAll(async () => {
		browser = await (launched ??= launchChromium());
	});
	// What one test leaves open takes the focus, and the clipboard, from the next.
	afterEach(async ({ task }) => {
		const [failure] = task.result?.errors ?? [];
		for (const context of browser?.contexts() ?? []) {
			if (failure) failure.message += `\n${(await shownIn(context)).join('\n')}`;
			await context.close();
		}
	});
	return () => {
		if (!browser) throw new Error('Chromium has not started.');
		return browser;
	};
}

/** Opens a window of its own. */
export async function newContext(
	browser: Browser,
	options?: BrowserContextOptions,
): Promise<BrowserContext> {
	const context = await browser.newContext(options);
	setTimeouts(context);
	return context;
}

/** What people with a screen reader would be told of each page. */
function shownIn(context: BrowserContext): Promise<string[]> {
	return Promise.all(
		context.pages().map(async (page) => {
			const shown = await page
				.locator('body')
				.ariaSnapshot()
				.catch((error: unknown) => String(error));
			return `${page.url()} showed:\n${shown}`;
		}),
	);
}
