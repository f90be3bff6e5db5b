import { v4 as newUuid } from 'uuid';
import { ServiceError } from '../../errors/serviceError.ts';
import { browserMissing } from '../../pages/browser/findBrowser.ts';
import type { FoundElement } from '../../picker/document/pickingCommands.ts';
import type { NextOffer } from '../../picker/document/nextOffer.ts';
import type { Source } from '../../pages/http/reader.ts';
import { PageError } from '../../pages/page.ts';
import { addressOf } from '../../tasks/values.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { pointedFor, type Draft } from './draft.ts';
import { History } from './history.ts';
import { findChoices } from './knownChoices.ts';
import { openingFailure } from './openingFailure.ts';

/** What the next thing that is pointed at stands for. */
export type Aim = 'entries' | 'column' | 'next' | 'follow';

/** An element that was pointed at. */
export interface PointedOne extends FoundElement {
	number: number;
	/** The text of the one before it, which is something else. */
	unlike?: string;
}

/** A task that someone points together. */
export interface Pointing {
	id: string;
	draft: Draft;
	/** The page of the list, and the one that the link of its first entry leads to. */
	list: Source;
	detail: Source | undefined;
	shown: 'list' | 'detail';
	/** How many entries, or columns without a list, the next page has, where that was looked at. */
	foundOnNext: number | undefined;
	aim: Aim;
	/** What was pointed at in one entry, while another one is waited for. */
	one: PointedOne | undefined;
	/** The hash of the task's file as it was opened; undefined: the task is new. */
	fileHash: string | undefined;
	/** What was pointed at for the draft as it stands in its file, or for a new one. */
	saved: string;
	/** Ends the trial of what the draft was before. */
	trial: AbortController | undefined;
	history: History;
	/** What seems to lead on from the page of the list. */
	offer: NextOffer | undefined;
	/** Whether the page as plain HTML lacks what its scripts make of it, and whether a browser is there for them. */
	lack: { ofScripts: 'likely' | 'possibly'; hasBrowser: boolean } | undefined;
	/** Whether the selectors are shown: few people ask for them. */
	showsSelectors: boolean;
	/** Why the last thing that was done had no effect. */
	mistake: string | undefined;
}

/** Those that are kept; each holds a page or two. */
const mostKept = 50;
/** Milliseconds for a page to come: somebody waits for it. */
const patience = 60_000;

/** The tasks that are pointed together at the moment. They are gone when the service ends. */
export class Pointings {
	readonly #parts: ConsoleParts;
	/** The one that was used last comes last. */
	readonly #kept = new Map<string, Pointing>();

	constructor(parts: ConsoleParts) {
		this.#parts = parts;
	}

	/**
	 * Opens the page of a draft. `site`: what `{site}` stands for; `fileHash`: of the file that the draft
	 * is of. Throws a ServiceError for people.
	 */
	async begin(draft: Draft, site: string, fileHash?: string): Promise<Pointing> {
		const list = await this.open(draft, addressOf(draft.url, site));
		if (fileHash !== undefined) await findChoices(this.#parts.readers, list, draft);
		const aim = draft.entries === undefined && draft.columns.length === 0 ? 'entries' : 'column';
		const ofScripts =
			draft.page === 'http' ? await this.#parts.readers.ask(list, 'lackOfScripts') : undefined;
		const pointing: Pointing = {
			id: newUuid(),
			draft,
			list,
			detail: undefined,
			shown: 'list',
			foundOnNext: undefined,
			aim,
			one: undefined,
			fileHash,
			saved: pointedFor(draft),
			trial: undefined,
			offer: await this.#parts.readers.ask(list, 'nextOffer'),
			lack: ofScripts && { ofScripts, hasBrowser: this.#parts.pages.browser !== undefined },
			history: new History(),
			showsSelectors: false,
			mistake: undefined,
		};
		this.#kept.set(pointing.id, pointing);
		for (const [id, { list, detail }] of this.#kept) {
			if (this.#kept.size <= mostKept) break;
			this.#kept.delete(id);
			this.#parts.readers.forget(list);
			if (detail) this.#parts.readers.forget(detail);
		}
		return pointing;
	}

	/** One that is kept still. */
	find(id: string): Pointing | undefined {
		const pointing = this.#kept.get(id);
		if (!pointing) return undefined;
		this.#kept.delete(id);
		this.#kept.set(id, pointing);
		return pointing;
	}

	/** The same; throws a ServiceError for people where it is gone. */
	get(id: string): Pointing {
		const pointing = this.find(id);
		if (pointing) return pointing;
		throw new ServiceError(
			'notFound',
			'This draft is gone: the service was restarted, or the page was left for too long. Begin again with the address.',
		);
	}

	/**
	 * A page as a draft's task would get it, or the one that a click there leads to; throws a ServiceError that
	 * says why there is none.
	 */
	async open(draft: Draft, url: string, clicked?: string): Promise<Source> {
		const openPage = this.#parts.pages[draft.page];
		if (!openPage) throw new ServiceError('conflict', browserMissing);
		const signal = AbortSignal.any([this.#parts.closing, AbortSignal.timeout(patience)]);
		const page = openPage(signal, draft.settings);
		try {
			await page.open(url);
			if (clicked !== undefined) {
				const before = await page.fingerprint([]);
				await page.click(clicked);
				await page.fingerprint([], before);
			}
			const source = this.#parts.readers.add(await page.snapshot());
			// One that cannot be read is not pointed at either.
			await this.#parts.readers.ask(source, 'checkPickable');
			return source;
		} catch (error) {
			const isLate = signal.aborted && !this.#parts.closing.aborted;
			if (isLate) throw new ServiceError('badRequest', `${url} did not come within a minute.`);
			if (!(error instanceof PageError)) throw error;
			const { message } = error;
			// Whatever goes wrong behind a proxy, the proxy is in between: the reason names it.
			const isDirect = draft.settings.proxy === undefined;
			const said = isDirect ? openingFailure(url, message) : withoutPasswords(message);
			throw new ServiceError('badRequest', said);
		} finally {
			await page.close();
		}
	}
}
