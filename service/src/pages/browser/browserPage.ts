import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'cheerio';
import type { BrowserContext, Locator, Page as Tab } from 'playwright-core';
import type { FieldRule } from '../../tasks/task.ts';
import type { Browser } from './browser.ts';
import { HtmlView, shownText } from '../htmlView.ts';
import { isTimeout, Network } from './network.ts';
import { PageError, type Page, type Row } from '../page.ts';
import { fingerprintOf, type Fingerprint } from '../seenPages.ts';

/** Milliseconds for an element to come that scripts may still be making. */
const timeout = 5_000;
/** Milliseconds for scrolling to bring something new. */
const growthTimeout = 3_000;

interface Opened {
	context: BrowserContext;
	tab: Tab;
	network: Network;
}

/** A page in a browser, with its scripts. `signal` closes it whatever it is doing. */
export class BrowserPage implements Page {
	readonly #browser: Browser;
	readonly #signal: AbortSignal;
	#opened: Opened | undefined;
	/** The elements that were entered, each one counted from the one before. */
	#entered: { selector: string; index: number }[] = [];

	constructor(browser: Browser, signal: AbortSignal) {
		this.#browser = browser;
		this.#signal = signal;
		signal.addEventListener('abort', () => void this.close());
	}

	open(url: string): Promise<void> {
		return this.#doing(async () => {
			const { tab, network } = await this.#openTab();
			this.#entered = [];
			await network.settleAfter(() => tab.goto(url, { waitUntil: 'commit' }));
		});
	}

	inputText(selector: string, text: string): Promise<void> {
		return this.#onPage(async ({ tab }) => {
			const field = this.#all(tab, selector).first();
			await field.waitFor({ state: 'attached', timeout });
			const isSelect = (await field.and(tab.locator('select')).count()) > 0;
			if (isSelect) await field.selectOption(text, { timeout });
			else await field.fill(text, { timeout });
		});
	}

	click(selector?: string, waitFor?: string): Promise<void> {
		return this.#onPage(async ({ tab, network }) => {
			const before = tab.url();
			const target =
				selector === undefined ? this.#enteredElement(tab) : this.#all(tab, selector).first();
			const isOther = await network.settleAfter(() => target.click({ timeout }));
			if (isOther || tab.url() !== before) this.#entered = [];
			if (waitFor !== undefined) {
				await tab.locator(css(waitFor)).first().waitFor({ state: 'attached', timeout });
			}
		});
	}

	has(selector: string): Promise<boolean> {
		return this.count(selector).then((count) => count > 0);
	}

	count(selector: string): Promise<number> {
		return this.#onPage(async ({ tab }) => {
			const elements = this.#all(tab, selector);
			await comesUp(elements);
			return elements.count();
		});
	}

	enter(selector: string, index: number): Promise<void> {
		return this.#onPage(async ({ tab }) => {
			const element = this.#all(tab, selector).nth(index);
			await element.waitFor({ state: 'attached', timeout });
			this.#entered = [...this.#entered, { selector, index }];
		});
	}

	enteredLink(): Promise<string> {
		return this.#onPage(async (opened) => {
			const view = await this.#view(opened);
			return view.link(view.entered(), 'The loop item');
		});
	}

	enteredText(): Promise<string> {
		return this.#onPage(async (opened) => shownText((await this.#view(opened)).entered().text()));
	}

	read(selector: string | undefined, fields: FieldRule[]): Promise<Row[]> {
		return this.#onPage(async (opened) => {
			if (selector !== undefined) await comesUp(this.#all(opened.tab, selector));
			return (await this.#view(opened)).rows(selector, fields);
		});
	}

	scroll(): Promise<boolean> {
		return this.#onPage(async ({ tab, network }) => {
			const before = await sizeOf(tab);
			await network.settleAfter(() => tab.evaluate('scrollTo(0, document.body.scrollHeight)'));
			for (let waited = 0; waited < growthTimeout; waited += 100) {
				if ((await sizeOf(tab)) !== before) return true;
				await sleep(100, undefined, { signal: this.#signal });
			}
			return false;
		});
	}

	/** The way back opens the address again if another page is open, or none. */
	bookmark(): Promise<() => Promise<void>> {
		const url = this.#opened?.tab.url();
		const entered = this.#entered;
		return Promise.resolve(async () => {
			if (url === undefined) return;
			if (this.#url() !== url) await this.open(url);
			this.#entered = entered;
		});
	}

	fingerprint(before?: Fingerprint): Promise<Fingerprint> {
		return this.#onPage(async ({ tab, network }) => {
			const read = async () =>
				fingerprintOf(tab.url(), await tab.content(), network.openedByAddress);
			let now = await read();
			if (!before) return now;
			const isUnchanged = () => now.content === before.content && !network.openedByAddress;
			if (isUnchanged()) {
				for (let waited = 0; isUnchanged() && waited < timeout; waited += 100) {
					await sleep(100, undefined, { signal: this.#signal });
					now = await read();
				}
				await network.settle();
				now = await read();
			}
			return { ...now, byAddress: now.byAddress || now.address !== before.address };
		});
	}

	async close(): Promise<void> {
		const opened = this.#opened;
		this.#opened = undefined;
		if (opened) await closeContext(opened.context);
	}

	#onPage<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
		return this.#doing(() => {
			if (!this.#opened) throw new PageError('No page was opened yet.');
			return work(this.#opened);
		});
	}

	/** What the browser throws is the page's failure, unless the agent was called off. */
	async #doing<Result>(work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			this.#signal.throwIfAborted();
			if (error instanceof PageError) throw error;
			const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
			throw new PageError(reason);
		}
	}

	/** The address of the open page; none after its tab was closed, by a script or with its browser. */
	#url(): string | undefined {
		return this.#opened?.tab.isClosed() ? undefined : this.#opened?.tab.url();
	}

	async #openTab(): Promise<Opened> {
		if (this.#opened && !this.#opened.tab.isClosed()) return this.#opened;
		await this.close();
		const context = await this.#browser.newContext(this.#signal);
		const tab = await context.newPage();
		const opened = { context, tab, network: new Network(tab, this.#signal) };
		this.#opened = opened;
		tab.once('crash', () => void closeContext(context));
		if (this.#signal.aborted) await this.close();
		this.#signal.throwIfAborted();
		return opened;
	}

	#all(tab: Tab, selector: string): Locator {
		const scope = this.#entered.length > 0 ? this.#enteredElement(tab) : tab;
		return scope.locator(css(selector));
	}

	#enteredElement(tab: Tab): Locator {
		const [first, ...inner] = this.#entered;
		if (!first) throw new PageError('The loop item is not an element of this page.');
		return inner.reduce(
			(outer, { selector, index }) => outer.locator(css(selector)).nth(index),
			tab.locator(css(first.selector)).nth(first.index),
		);
	}

	/** The page as its scripts have made it, for the same reading as over HTTP. */
	async #view({ tab }: Opened): Promise<HtmlView> {
		const base = String(await tab.evaluate('document.baseURI'));
		const page = new HtmlView(load(await tab.content()), base);
		return this.#entered.reduce((view, { selector, index }) => view.within(selector, index), page);
	}
}

/** Playwright has more kinds of selectors; tasks have CSS alone. */
function css(selector: string): string {
	return `css=${selector}`;
}

/** A browser that crashed has nothing left to close. */
async function closeContext(context: BrowserContext): Promise<void> {
	await context.close().catch(() => undefined);
}

/** Waits until there is an element; that none comes is no failure. */
async function comesUp(elements: Locator): Promise<void> {
	await elements
		.first()
		.waitFor({ state: 'attached', timeout })
		.catch((error: unknown) => {
			if (!isTimeout(error)) throw error;
		});
}

async function sizeOf(tab: Tab): Promise<string> {
	return String(
		await tab.evaluate(
			'[document.body.scrollHeight, document.getElementsByTagName("*").length].join()',
		),
	);
}
