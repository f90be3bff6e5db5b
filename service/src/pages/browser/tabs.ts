import type { Cookie, Page as Tab } from 'playwright-core';
import type { RequestSettings } from '../requestSettings.ts';
import type { Browser } from './browser.ts';
import { OpenedTab } from './openedTab.ts';

/** The tabs of an agent, one after the other. */
export class Tabs {
	readonly #browser: Browser;
	readonly #settings: RequestSettings;
	readonly #signal: AbortSignal;
	#open: OpenedTab | undefined;
	/** What sites have set: it outlives tabs, and browsers. */
	#cookies: Cookie[] = [];

	constructor(browser: Browser, settings: RequestSettings, signal: AbortSignal) {
		this.#browser = browser;
		this.#settings = settings;
		this.#signal = signal;
	}

	get open(): OpenedTab | undefined {
		return this.#open;
	}

	/** The tab in which another page can come: the open one, or another one in its place. */
	async forAnother(): Promise<OpenedTab> {
		await this.keepCookies();
		if (this.#open?.takesAnother) return this.#open;
		const watch = (tab: Tab) => OpenedTab.of(tab, this.#settings, this.#signal);
		const other = await this.#open?.replace();
		const opened = (other && (await watch(other))) ?? (await watch(await this.#newTab()));
		if (!opened) throw new Error('The browser hangs.');
		this.#open = opened;
		if (this.#signal.aborted) await this.close();
		this.#signal.throwIfAborted();
		return opened;
	}

	/** A browser that has crashed does not say them any more. */
	async keepCookies(): Promise<void> {
		this.#cookies = (await this.#open?.cookies()) ?? this.#cookies;
	}

	async close(): Promise<void> {
		const open = this.#open;
		this.#open = undefined;
		await open?.close();
	}

	/** A tab of another context, where none can be had in this one. */
	async #newTab(): Promise<Tab> {
		await this.close();
		const tab = await this.#browser.newTab(this.#settings);
		await tab.context().addCookies(this.#cookies);
		return tab;
	}
}
