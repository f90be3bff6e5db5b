import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';

/**
 * Has the tests of a block share a Chromium; set-up has seen to it that there is one. Resolves to it,
 * once the block has begun.
 */
export function useChromium(): () => Browser {
	let browser: Browser | undefined;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath:
				process.env.BROWSER_FOR_TESTS ?? (await findBrowser(undefined, process.env.PATH ?? '')),
			args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
		});
	});
	// What one test leaves open takes the focus, and the clipboard, from the next.
	afterEach(async () => {
		await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
	});
	afterAll(() => browser?.close());
	return () => {
		if (!browser) throw new Error('Chromium has not started.');
		return browser;
	};
}
