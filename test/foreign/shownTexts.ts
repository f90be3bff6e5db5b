import { chromium, type Page as Tab } from 'playwright-core';
import { findBrowser } from '../../service/src/pages/browser/findBrowser.ts';
import { readText } from './readText';

/** An element whose text is compared, and what a browser shows of it. */
export interface ShownText {
	/** Its name and place among those of that name: "td 3 of 20". */
	element: string;
	text: string;
}

/** Pages that Chromium reads at once, each in a tab of its own. */
const tabs = 6;

/** Reads the pages with an installed Chromium alone: nothing of the service has a say in it. */
export async function shownTexts(addresses: string[]): Promise<ShownText[][]> {
	const executablePath = await findBrowser(process.env.SERVICE_BROWSER, process.env.PATH ?? '');
	if (executablePath === undefined) {
		throw new Error('This needs Chromium: run "npm run test:foreign", or install it.');
	}
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
	try {
		const shown: ShownText[][] = addresses.map(() => []);
		const waiting = addresses.entries();
		const readers = Array.from({ length: tabs }, async () => {
			const context = await browser.newContext();
			const tab = await context.newPage();
			for (const [index, address] of waiting) shown[index] = await shownOn(tab, address);
			await context.close();
		});
		await Promise.all(readers);
		return shown;
	} finally {
		await browser.close();
	}
}

const readAll = `Array.from(document.querySelectorAll(${JSON.stringify(readText)}),
	(element) => [element.localName, element.innerText])`;

/** Waits until the page asks for nothing more, as scripts may be at work on it. */
async function shownOn(tab: Tab, address: string): Promise<ShownText[]> {
	await tab.goto(address, { waitUntil: 'networkidle' });
	const elements: [name: string, text: string][] = await tab.evaluate(readAll);
	const counts = new Map<string, number>();
	const places = elements.map(([name]) => {
		const place = (counts.get(name) ?? 0) + 1;
		counts.set(name, place);
		return place;
	});
	return elements.map(([name, text], index) => ({
		element: `${name} ${places[index]} of ${counts.get(name)}`,
		text,
	}));
}
