import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Page as Tab } from 'playwright-core';
import { findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';
import { readText } from './readText';

/** An element whose text is compared, and what a browser shows of it. */
export interface ShownText {
	/** Its name and place among those of that name: "td 3 of 20". */
	element: string;
	text: string;
}

/** Pages that Chromium reads at once, each in a tab of its own: most of their time is waiting. */
const tabs = 8;
/** Milliseconds that a page may take; only a busy machine needs more than a second. */
const loadTimeout = 120_000;
/** Milliseconds between two looks at a page: more than any of its scripts pauses between two changes. */
const betweenLooks = 300;
/** Looks at a page that never comes to rest. */
const mostLooks = 20;

/** When a page is as people see it: once it has loaded, or once its scripts ask for and change nothing more. */
export type Settled = 'load' | 'networkidle';

/** Reads the pages with an installed Chromium alone: nothing of the service has a say in it. */
export async function shownTexts(addresses: string[], settled: Settled): Promise<ShownText[][]> {
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
			context.setDefaultTimeout(loadTimeout);
			const tab = await context.newPage();
			for (const [index, address] of waiting) {
				await tab.goto(address, { waitUntil: settled });
				shown[index] = settled === 'load' ? await shownOn(tab) : await shownAtRest(tab);
			}
			await context.close();
		});
		await Promise.all(readers);
		return shown;
	} finally {
		await browser.close();
	}
}

// What is closed in `details` as a whole is what it says once people open them.
const readAll = `(() => {
	const elements = [...document.querySelectorAll(${JSON.stringify(readText)})];
	const closed = [...document.querySelectorAll('details:not([open])')];
	const shown = elements.map((element) => element.innerText);
	for (const each of closed) each.open = true;
	const opened = elements.map((element) => element.innerText);
	for (const each of closed) each.open = false;
	return elements.map(({ localName }, index) => [localName, shown[index] || opened[index]]);
})()`;

/** What is shown once two looks agree: scripts may move things for a while after they ask for nothing more. */
async function shownAtRest(tab: Tab): Promise<ShownText[]> {
	let shown = await shownOn(tab);
	for (let looks = 1; looks < mostLooks; looks += 1) {
		await sleep(betweenLooks);
		const next = await shownOn(tab);
		if (isDeepStrictEqual(next, shown)) break;
		shown = next;
	}
	return shown;
}

async function shownOn(tab: Tab): Promise<ShownText[]> {
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
