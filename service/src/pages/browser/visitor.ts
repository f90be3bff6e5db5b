import PQueue from 'p-queue';
import type { BrowserContext, Cookie, Page as Tab } from 'playwright-core';
import type { RequestSettings } from '../requestSettings.ts';
import type { Browser } from './browser.ts';
import { openTab } from './openTab.ts';
import { within } from './within.ts';

/** Milliseconds for a tab to open beside one that is there. */
const openTimeout = 10_000;
/** Milliseconds for tabs to be closed, which takes some when a page is busy; it goes on behind that. */
const closeTimeout = 10_000;

/** Whom sites take an agent for: what they have set is known in all of its tabs, and outlives browsers. */
export class Visitor {
	readonly #browser: Browser;
	readonly settings: RequestSettings;
	/** Calls off all that is done for it. */
	readonly signal: AbortSignal;
	/** Where the tabs are; what others have open there are windows of their pages. */
	#context: BrowserContext | undefined;
	readonly #tabs = new Set<Tab>();
	/** One tab opens after the other: of two, each would be a window to the other. */
	readonly #opening = new PQueue({ concurrency: 1 });
	#cookies: Cookie[] = [];

	constructor(browser: Browser, settings: RequestSettings, signal: AbortSignal) {
		this.#browser = browser;
		this.settings = settings;
		this.signal = signal;
	}

	/** Opens a tab, in the place of another one if that is given. */
	newTab(old?: Tab): Promise<Tab> {
		return this.#opening.add(async () => {
			if (old) this.#tabs.delete(old);
			const opening = this.#context && openTab(this.#context, this.#tabs).catch(() => undefined);
			return (await within(openTimeout, opening)) ?? (await this.#inNewContext());
		});
	}

	/** The same where the one before does not answer: then none of its context may. */
	async newTabElsewhere(old: Tab): Promise<Tab> {
		if (this.#context === old.context()) await this.close();
		return this.newTab(old);
	}

	async #inNewContext(): Promise<Tab> {
		await this.close();
		const tab = await this.#browser.newTab(this.settings, this.signal);
		this.#context = tab.context();
		this.#tabs.add(tab);
		await this.#context.addCookies(this.#cookies);
		return tab;
	}

	/** A browser that has crashed, or hangs, does not say them any more. */
	async keepCookies(): Promise<void> {
		const asked = this.#context?.cookies().catch(() => undefined);
		this.#cookies = (await within(openTimeout, asked)) ?? this.#cookies;
	}

	/** Closes all tabs. A browser that crashed has nothing left to close. */
	async close(): Promise<void> {
		const context = this.#context;
		this.#context = undefined;
		this.#tabs.clear();
		await within(
			closeTimeout,
			context?.close().catch(() => undefined),
		);
	}
}
