import { validate as isUuid } from 'uuid';
import { readCarried, type CarriedDraft } from '../../picker/carriedDraft.ts';
import { draftOf, type Draft } from '../../picker/draft.ts';
import type { PickerSession } from '../../picker/session.ts';
import type { PickerSessions } from '../../picker/sessions.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import type { Entries } from '../entries.ts';

/** The session of a page, or what that page has carried of one that is gone. */
export class HeldDrafts {
	readonly #parts: ConsoleParts;
	readonly #sessions: PickerSessions;

	constructor(parts: ConsoleParts, sessions: PickerSessions) {
		this.#parts = parts;
		this.#sessions = sessions;
	}

	/** Goes on where a page has stood, if need be from what it sends; throws a ServiceError where it sends nothing. */
	async session(id: string, entries: Entries, site: string): Promise<PickerSession> {
		const carried = this.#carried(id, entries);
		if (!carried || !isUuid(id)) return this.#sessions.get(id);
		return this.#sessions.resume(id, carried, { site, saved: this.#inFile(carried) });
	}

	/** What is saved: for that, no page has to be opened. */
	draft(id: string, entries: Entries): Pick<PickerSession, 'draft' | 'fileHash' | 'saved'> {
		const carried = this.#carried(id, entries);
		if (!carried) return this.#sessions.get(id);
		const settings = this.#inFile(carried)?.settings ?? {};
		return { draft: { ...carried.draft, settings }, fileHash: carried.fileHash, saved: '' };
	}

	/** What a page sends of a session that is gone. */
	#carried(id: string, entries: Entries): CarriedDraft | undefined {
		return this.#sessions.find(id) ? undefined : readCarried(entries.get('draft') ?? '');
	}

	/** A draft as it stands in its file: what a page has nothing of, such as the password of a proxy, is there. */
	#inFile({ draft, fileHash }: CarriedDraft): Draft | undefined {
		const loaded = fileHash === undefined ? undefined : this.#parts.tasks.findLoaded(draft.taskID);
		return loaded && draftOf(loaded.task);
	}
}
