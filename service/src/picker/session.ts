import { v4 as newUuid } from 'uuid';
import { ServiceError } from '../errors/serviceError.ts';
import type { Source } from '../pages/http/reader.ts';
import { addressOf } from '../tasks/values.ts';
import type { Marks } from './document/marks.ts';
import { fieldOf, pointedFor, type Draft } from './draft.ts';
import { History } from './history.ts';
import { findChoices } from './knownChoices.ts';
import { openPage, type PickerParts } from './openPage.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { PickerState } from './state.ts';

/** A task that someone points together. */
export interface PickerSession extends PickerState {
	id: string;
	/** The hash of the task's file as it was opened; undefined: the task is new. */
	fileHash: string | undefined;
	/** What was pointed at for the draft as it stands in its file, or for a new one. */
	saved: string;
	/** Ends the trial of what the draft was before. */
	trial: AbortController | undefined;
	history: History;
	/** Whether the page as plain HTML lacks what its scripts make of it, and whether a browser is there for them. */
	lack: { ofScripts: 'likely' | 'possibly'; hasBrowser: boolean } | undefined;
	/** Whether the selectors are shown: few people ask for them. */
	showsSelectors: boolean;
	/** The name of the column that was added last, if that was the last thing that was done. */
	added: string | undefined;
	/** Why the last thing that was done had no effect. */
	mistake: string | undefined;
}

/** Those that are kept; each holds a page or two. */
const maxKept = 50;

/** The tasks that are pointed together at the moment. They are gone when the service ends. */
export class PickerSessions {
	readonly #parts: PickerParts;
	/** The one that was used last comes last. */
	readonly #kept = new Map<string, PickerSession>();

	constructor(parts: PickerParts) {
		this.#parts = parts;
	}

	/**
	 * Opens the page of a draft. `site`: what `{site}` stands for; `fileHash`: of the file that the draft
	 * is of. Throws a ServiceError for people.
	 */
	async begin(draft: Draft, site: string, fileHash?: string): Promise<PickerSession> {
		const { readers, pages } = this.#parts;
		const list = await openPage(this.#parts, draft, addressOf(draft.url, site));
		if (fileHash !== undefined) await findChoices(readers, list, draft);
		const aim = draft.entries === undefined && draft.columns.length === 0 ? 'entries' : 'column';
		const ofScripts = draft.page === 'http' ? await readers.ask(list, 'lackOfScripts') : undefined;
		const session: PickerSession = {
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
			offer: await readers.ask(list, 'nextOffer'),
			lack: ofScripts && { ofScripts, hasBrowser: pages.browser !== undefined },
			history: new History(),
			showsSelectors: false,
			added: undefined,
			mistake: undefined,
		};
		this.#kept.set(session.id, session);
		for (const [id, { list, detail }] of this.#kept) {
			if (this.#kept.size <= maxKept) break;
			this.#kept.delete(id);
			readers.forget(list);
			if (detail) readers.forget(detail);
		}
		return session;
	}

	/** One that is kept still. */
	find(id: string): PickerSession | undefined {
		const session = this.#kept.get(id);
		if (!session) return undefined;
		this.#kept.delete(id);
		this.#kept.set(id, session);
		return session;
	}

	/** The same; throws a ServiceError for people where it is gone. */
	get(id: string): PickerSession {
		const session = this.find(id);
		if (session) return session;
		throw new ServiceError(
			'notFound',
			'This draft is gone: the service was restarted, or the page was left for too long. Begin again with the address.',
		);
	}
}

/** The page that is in the frame. */
export function shownPage({ shown, list, detail }: PickerState): Source {
	return shown === 'detail' && detail ? detail : list;
}

/** What the draft finds on the page that is in the frame. */
export function shownMarks(readers: PickerReaders, state: PickerState): Promise<Marks> {
	const { draft, shown } = state;
	const isDetail = shown === 'detail';
	const columns = isDetail ? (draft.detail?.columns ?? []) : draft.columns;
	return readers.ask(shownPage(state), 'marks', {
		entries: isDetail ? undefined : draft.entries,
		columns: columns.map(fieldOf),
		next: isDetail ? undefined : draft.next?.selector,
	});
}
