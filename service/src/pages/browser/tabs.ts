import type { Cookie, Page as Tab } from 'playwright-core';
import type { RequestSettings } from '../requestSettings.ts';
import type { Browser } from './browser.ts';
import { carrySession } from './carrySession.ts';
import { isOpenIn, type KnownDocument } from './knownDocument.ts';
import { OpenedTab } from './openedTab.ts';
import type { PageUse } from './pageUse.ts';
import { watchSent } from './watchSent.ts';

/** Tabs that may be kept: so many loops over elements, one in another, whose entries are opened. */
const maxKept = 3;

/** A tab whose document is gone back to, with what was done on that. */
interface KeptTab {
	tab: OpenedTab;
	document: KnownDocument;
	use: PageUse;
}

/** The tabs of an agent: one is open, and before it are those that are gone back to. */
export class Tabs {
	readonly #browser: Browser;
	readonly #settings: RequestSettings;
	readonly #signal: AbortSignal;
	#open: OpenedTab | undefined;
	#kept: KeptTab[] = [];
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

	/** The open tab, or where the next one is still to come, the one that was kept last. */
	get #last(): OpenedTab | undefined {
		return this.#open ?? this.#kept.at(-1)?.tab;
	}

	/** Leaves the open tab as it is: the next page comes in another one. */
	keep(document: KnownDocument | undefined, use: PageUse): void {
		const tab = this.#open;
		if (!tab || !document) return;
		this.#kept.push({ tab, document, use });
		if (this.#kept.length > maxKept) this.#kept.shift()?.tab.giveUp();
		this.#open = undefined;
	}

	/** Opens the tab in which a document was kept, if it is still there, and closes those that came after it. */
	backTo(document: KnownDocument): PageUse | undefined {
		const place = this.#kept.findLastIndex((kept) => kept.document === document);
		const [kept, ...later] = place < 0 ? [] : this.#kept.splice(place);
		if (!kept) return undefined;
		const isThere = kept.tab.isUsable && isOpenIn(kept.tab, document);
		for (const { tab } of isThere ? later : [kept, ...later]) tab.giveUp();
		if (!isThere) return undefined;
		this.#open?.giveUp();
		this.#open = kept.tab;
		return kept.use;
	}

	/** The tab in which another page can come: the open one, or another one in its place. */
	async forAnother(): Promise<OpenedTab> {
		await this.keepCookies();
		if (this.#open?.takesAnother) return this.#open;
		const watch = (tab: Tab) => this.#watch(tab);
		const kept = this.#kept.map(({ tab }) => tab);
		const before = kept.at(-1);
		const other = await this.#last?.replace(kept);
		const opened = (other && (await watch(other))) ?? (await watch(await this.#newTab()));
		if (!opened) throw new Error('The browser hangs.');
		if (before && !before.isClosed) await carrySession(before, opened);
		this.#open = opened;
		if (this.#signal.aborted) await this.close();
		this.#signal.throwIfAborted();
		return opened;
	}

	async #watch(tab: Tab): Promise<OpenedTab | undefined> {
		const opened = await OpenedTab.of(tab, this.#settings, this.#signal);
		const { onSend } = this.#settings;
		if (onSend) watchSent(tab, onSend);
		return opened;
	}

	/** A browser that has crashed does not say them any more. */
	async keepCookies(): Promise<void> {
		this.#cookies = (await this.#last?.cookies()) ?? this.#cookies;
	}

	async close(): Promise<void> {
		const last = this.#last;
		[this.#open, this.#kept] = [undefined, []];
		await last?.close();
	}

	/** A tab of another context, where none can be had in this one. */
	async #newTab(): Promise<Tab> {
		await this.close();
		const tab = await this.#browser.newTab(this.#settings);
		await tab.context().addCookies(this.#cookies);
		return tab;
	}
}
