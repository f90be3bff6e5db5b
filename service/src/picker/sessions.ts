import { v4 as newUuid } from 'uuid';
import { ServiceError } from '../errors/serviceError.ts';
import type { CarriedDraft } from './carriedDraft.ts';
import { newDraft, pointedFor, type Draft } from './draft.ts';
import { isForPeople } from './isForPeople.ts';
import { openList, openListOrNone } from './openList.ts';
import type { PickerParts } from './openPage.ts';
import { openDetail } from './picks.ts';
import { newSession, shownMarks, type PickerSession } from './session.ts';

/** What is said where a page was opened once more, and has the same elements still, or other ones. */
const resumedNotes = {
	same: 'The service had lost this page, and has opened it again. What you pointed at is still here; what was done before can no longer be undone.',
	other:
		'The service had lost this page, and has opened it again: there is something else on it now. What you pointed at is still here; if something is missing, point at it once more.',
};

export const goneDraft =
	'This draft is gone: the service was restarted, or the page was left for too long. Begin again with the address.';

/** Those that are kept; each holds a page or two. */
const maxKept = 50;

/** The tasks that are pointed together at the moment. They are gone when the service ends. */
export class PickerSessions {
	readonly #parts: PickerParts;
	/** The one that was used last comes last. */
	readonly #kept = new Map<string, PickerSession>();
	readonly #resuming = new Map<string, Promise<PickerSession>>();

	constructor(parts: PickerParts) {
		this.#parts = parts;
	}

	/**
	 * Opens the page of a draft. `site`: what `{site}` stands for; `fileHash`: of the file that the draft
	 * is of. Throws a ServiceError for people.
	 */
	async begin(draft: Draft, site: string, fileHash?: string): Promise<PickerSession> {
		const opened = await openList(this.#parts, draft, site);
		const about = { id: newUuid(), site, draft, fileHash };
		return this.#keep(await newSession(this.#parts, opened, about));
	}

	/**
	 * Goes on with what a page has carried; where its own cannot be opened, without it. `saved`: the draft as it
	 * stands in its file. Asked for twice at once, it is done once.
	 */
	resume(
		id: string,
		carried: CarriedDraft,
		about: { site: string; saved: Draft | undefined },
	): Promise<PickerSession> {
		const known = this.#resuming.get(id);
		if (known) return known;
		const resuming = this.#resumed(id, carried, about).finally(() => this.#resuming.delete(id));
		this.#resuming.set(id, resuming);
		return resuming;
	}

	async #resumed(
		id: string,
		{ draft: pointed, fileHash, aim, shown, one, outline }: CarriedDraft,
		{ site, saved }: { site: string; saved: Draft | undefined },
	): Promise<PickerSession> {
		const { readers } = this.#parts;
		const draft = { ...pointed, settings: saved?.settings ?? {} };
		const opened = await openListOrNone(this.#parts, draft, site);
		const session = await newSession(this.#parts, opened, { id, site, draft, fileHash });
		session.saved = pointedFor(saved ?? newDraft(draft.url, draft.page, draft.name));
		if (shown === 'detail' && draft.detail) {
			const at = { entries: draft.entries ?? '', link: draft.detail.link };
			await openDetail(session, at, this.#parts).catch((error: unknown) => {
				if (!isForPeople(error)) throw error;
				session.mistake = error.message;
			});
		}
		const now = (await shownMarks(readers, session)).outline;
		if (now !== outline) session.reopened = now;
		else {
			session.aim = aim;
			if (one !== undefined) {
				session.one = { number: one, ...(await readers.ask(session.list, 'foundElement', one)) };
			}
		}
		if (opened.unopened === undefined) {
			session.note = resumedNotes[now === outline ? 'same' : 'other'];
		}
		return this.#keep(session);
	}

	#keep(session: PickerSession): PickerSession {
		const { readers } = this.#parts;
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
		throw new ServiceError('notFound', goneDraft);
	}
}
