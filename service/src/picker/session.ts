import type { Source } from '../pages/http/reader.ts';
import type { Marks } from './document/marks.ts';
import { fieldOf, pointedFor } from './draft.ts';
import { History } from './history.ts';
import { findChoices } from './knownChoices.ts';
import { firstAim } from './openList.ts';
import type { PickerParts } from './openPage.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { OpenedList, PickerState } from './state.ts';

/** A task that someone points together. */
export interface PickerSession extends PickerState {
	id: string;
	/** What `{site}` stands for. */
	site: string;
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
	/** What else came of it. */
	note: string | undefined;
	/** The outline of the page that took the place of another one in the frame. */
	reopened: string | undefined;
}

/** A session whose page has been opened, and in which nothing was done yet. */
export async function newSession(
	parts: PickerParts,
	opened: OpenedList,
	{ id, site, draft, fileHash }: Pick<PickerSession, 'id' | 'site' | 'draft' | 'fileHash'>,
): Promise<PickerSession> {
	const { readers, pages } = parts;
	const { list } = opened;
	if (draft.columns.length > 0) await findChoices(readers, list, draft);
	const ofScripts = draft.page === 'http' ? await readers.ask(list, 'lackOfScripts') : undefined;
	return {
		id,
		site,
		draft,
		...opened,
		detail: undefined,
		shown: 'list',
		foundOnNext: undefined,
		aim: await firstAim(parts, draft, opened),
		one: undefined,
		fileHash,
		saved: pointedFor(draft),
		trial: undefined,
		lack: ofScripts && { ofScripts, hasBrowser: pages.browser !== undefined },
		history: new History(),
		showsSelectors: false,
		added: undefined,
		mistake: undefined,
		note: undefined,
		reopened: undefined,
	};
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
