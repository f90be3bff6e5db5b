import type { Page as Tab } from 'playwright-core';
import { OpenedTab } from './openedTab.ts';
import type { Visitor } from './visitor.ts';

/** The tabs of a page, one after the other. */
export class Tabs {
	readonly #visitor: Visitor;
	#open: OpenedTab | undefined;

	constructor(visitor: Visitor) {
		this.#visitor = visitor;
	}

	get open(): OpenedTab | undefined {
		return this.#open;
	}

	/** The tab in which another page can come: the open one, or another one in its place. */
	async forAnother(): Promise<OpenedTab> {
		const { settings, signal } = this.#visitor;
		await this.#visitor.keepCookies();
		if (this.#open?.takesAnother) return this.#open;
		const watch = (tab: Tab) => OpenedTab.of(tab, settings, signal);
		const tab = await this.#visitor.newTab(this.#open?.tab);
		const opened = (await watch(tab)) ?? (await watch(await this.#visitor.newTabElsewhere(tab)));
		if (!opened) throw new Error('The browser hangs.');
		this.#open = opened;
		if (signal.aborted) await this.close();
		signal.throwIfAborted();
		return opened;
	}

	/** Closes all that its visitor has open. */
	async close(): Promise<void> {
		this.#open = undefined;
		await this.#visitor.close();
	}
}
