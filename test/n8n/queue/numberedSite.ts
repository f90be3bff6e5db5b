import { setTimeout as wait } from 'node:timers/promises';
import { startSite } from '../../support/service/startSite';
import type { Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

const pages = [1, 2, 3];
const rowsOfAPage = 10;

/**
 * A site with a list of its own for each run, so that every row says for which run it was scraped:
 * a page that was scraped twice, or whose rows went to another execution, shows.
 */
export async function startNumberedSite(): Promise<Site> {
	return await startSite(async ({ url }) => {
		const [, run, page] = url.pathname.split('/');
		await wait(Number(url.searchParams.get('delay') ?? 0));
		const rows = rowNumbersOf(Number(page)).map((row) => `<li><b>${run}</b><i>${row}</i></li>`);
		const isLast = Number(page) === pages.length;
		const next = isLast ? '' : `<a class="next" href="/${run}/${Number(page) + 1}${url.search}">`;
		return `<ul>${rows.join('')}</ul>${next}`;
	});
}

/** The first page of a run, each of whose pages takes `delay` milliseconds. */
export function listOf(site: Site, run: string, delay: number): string {
	return `${site.baseUrl}/${run}/1?delay=${delay}`;
}

/** The step of `numberedTask` that opens the list. */
export const openStep = uuidOf('open the list');

/** Reads the list whose first page its first step is given. */
export const numberedTask = task(
	'numbered rows',
	[
		step('navigate', { url: 'http://127.0.0.1:9/' }, 'open the list'),
		loop({ loopType: 'page', selector: 'a.next', timesMode: 'all' }, [
			extract({ Run: 'b', Row: 'i' }, 'li'),
		]),
	],
	{ requestsPerHost: 40 },
);

/** What a run gives, each value a text as the service scrapes it. */
export function rowsOf(run: string): Array<{ Run: string; Row: string }> {
	return pages.flatMap(rowNumbersOf).map((row) => ({ Run: run, Row: String(row) }));
}

/** Which pages of which run were opened, in order: each once, if each run was scraped once. */
export function openedPages(site: Site): string[] {
	return site.requests.map(({ url }) => url.pathname).sort();
}

export function pagesOf(runs: string[]): string[] {
	return runs.flatMap((run) => pages.map((page) => `/${run}/${page}`)).sort();
}

function rowNumbersOf(page: number): number[] {
	return Array.from({ length: rowsOfAPage }, (_row, index) => (page - 1) * rowsOfAPage + index + 1);
}
