import { chromium } from 'playwright-core';
import { findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';

/** How many elements Chromium itself finds, for each selector on the page at its address. */
export async function foundByChromium(
	wanted: { address: string; selector: string }[],
): Promise<number[]> {
	const executablePath = await findBrowser(process.env.SERVICE_BROWSER, process.env.PATH ?? '');
	if (executablePath === undefined) {
		throw new Error('This needs Chromium: run "npm run test:foreign", or install it.');
	}
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
	try {
		const tab = await browser.newPage();
		const counts: number[] = [];
		for (const { address, selector } of wanted) {
			if (tab.url() !== address) await tab.goto(address, { waitUntil: 'domcontentloaded' });
			const script = `document.querySelectorAll(${JSON.stringify(selector)}).length`;
			counts.push(await tab.evaluate<number>(script));
		}
		return counts;
	} finally {
		await browser.close();
	}
}
