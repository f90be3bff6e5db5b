import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { sample } from '../length';

/** Each way in which a page must be usable. */
const allViews: ['light' | 'dark', number][] = [
	['light', 400],
	['dark', 1400],
	['dark', 400],
	['light', 1400],
];

/** Ways to see a page, for `test.each`: at full length all of them, else the one with this number. */
export const views = (first: number) => sample(allViews, first);

/**
 * Expects that a page, as it is now, can be used by all: no finding of axe, nothing wider than the
 * window, and no complaint of the browser.
 */
export async function expectUsable({
	page,
	complaints = [],
}: {
	page: Page;
	complaints?: string[];
}): Promise<void> {
	expect(await axeFindings(page)).toEqual([]);
	expect(await isTooWide(page)).toBe(false);
	expect(complaints).toEqual([]);
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
	violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

declare const window: { axe: { run(options: object): Promise<AxeResults> } };

/** What axe finds on the page as it is now, a text for each finding. */
export async function axeFindings(page: Page): Promise<string[]> {
	// Through the debugger, which the page's Content-Security-Policy does not forbid.
	await page.evaluate(axe);
	// What is right needs no selectors: they take longer than all the rest.
	const options = { resultTypes: ['violations'], selectors: false };
	const { violations } = await page.evaluate((options) => window.axe.run(options), options);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
	);
}

/** Whether the page can be scrolled sideways: something on it is wider than the window. */
function isTooWide(page: Page): Promise<boolean> {
	return page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
}
