import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';

/** Starts a Chromium for tests; set-up has seen to it that there is one. `more`: arguments beside the usual. */
export async function launchChromium(more: string[] = []): Promise<Browser> {
	return chromium.launch({
		executablePath:
			process.env.BROWSER_FOR_TESTS ?? (await findBrowser(undefined, process.env.PATH ?? '')),
		args: [
			'--no-sandbox',
			'--disable-quic',
			'--disable-background-networking',
			// Fewer processes to start, and nothing to draw quickly for.
			'--disable-gpu',
			'--in-process-gpu',
			'--enable-features=NetworkServiceInProcess2',
			'--renderer-process-limit=2',
			...more,
		],
	});
}
