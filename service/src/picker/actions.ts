import { PageError } from '../pages/page.ts';
import { shortened } from '../text/shortened.ts';
import { isPageUrl, loopTimes, maxLoopTimes, noPageUrl } from '../tasks/values.ts';
import { allColumns, changeColumn } from './columnActions.ts';
import { stateOf } from './history.ts';
import { isForPeople } from './isForPeople.ts';
import { firstAim, openList } from './openList.ts';
import type { PickerParts } from './openPage.ts';
import { isAim, openDetail, pick } from './picks.ts';
import type { Draft } from './draft.ts';
import { shownMarks, type PickerSession } from './session.ts';

/** Does to a draft what a form says, whose entries are given by name. */
export async function act(
	session: PickerSession,
	entries: Entries,
	parts: PickerParts,
): Promise<void> {
	session.mistake = undefined;
	session.added = undefined;
	session.note = undefined;
	const name = entries.get('action') ?? '';
	if (name === 'undo' || name === 'redo') return session.history[name](session);
	const before = stateOf(session);
	const known = new Set(allColumns(session).map(({ id }) => id));
	try {
		await actions.get(name)?.(session, entries, parts);
		session.history.note(before, session);
		session.added = allColumns(session).find(({ id }) => !known.has(id))?.name;
	} catch (error) {
		if (!isForPeople(error)) throw error;
		session.mistake = error.message;
	}
}

/** The same with a page that had to be opened once more: what that has said is to be read still. */
export async function actAfterResuming(
	session: PickerSession,
	entries: Entries,
	parts: PickerParts,
): Promise<void> {
	const { note } = session;
	// A number stands for something on the page that was seen.
	const isOutdated = session.reopened !== undefined && entries.get('action') === 'point';
	if (!isOutdated) await act(session, entries, parts);
	session.note = note;
}

type Entries = ReadonlyMap<string, string>;

type Action = (
	session: PickerSession,
	entries: Entries,
	parts: PickerParts,
) => Promise<void> | void;

const actions = new Map<string, Action>([
	['point', (session, entries, parts) => pick(session, Number(entries.get('number')), parts)],
	['other', beginWithOther],
	['aim', (session, entries) => aimAt(session, entries.get('aim') ?? '')],
	['show', (session, entries, parts) => show(session, entries.get('page') ?? '', parts)],
	['forget', (session, entries) => forget(session, entries.get('what') ?? '')],
	['column', changeColumn],
	['narrow', leaveOut],
	['pages', limitPages],
	['browser', (session, _, parts) => openAgain(session, { page: 'browser' }, parts)],
	['open', openAt],
	['next', takeNext],
	['selectors', (session) => void (session.showsSelectors = !session.showsSelectors)],
]);

async function show(session: PickerSession, page: string, parts: PickerParts): Promise<void> {
	const { detail } = session.draft;
	session.aim = 'column';
	if (page === 'detail' && detail && !session.detail) {
		const entries = session.draft.entries ?? '';
		await openDetail(session, { entries, link: detail.link }, parts);
	}
	session.shown = page === 'detail' && session.detail ? 'detail' : 'list';
}

function aimAt(session: PickerSession, aim: string): void {
	if (!isAim(aim)) return;
	session.aim = aim;
	session.one = undefined;
	session.shown = 'list';
}

function forget(session: PickerSession, what: string): void {
	const { draft } = session;
	session.one = undefined;
	// What was looked at on the next page were the entries of now.
	if (what === 'next' || what === 'entries') {
		draft.next = undefined;
		session.foundOnNext = undefined;
	}
	if (what === 'detail' || what === 'entries') {
		draft.detail = undefined;
		session.detail = undefined;
		session.shown = 'list';
	}
	if (what === 'entries') {
		// Selectors inside of entries mean nothing on the whole page.
		draft.entries = undefined;
		draft.columns = [];
		session.aim = 'entries';
	}
}

/** What seems to lead on is looked at as if it had been pointed at. */
async function takeNext(session: PickerSession, _: Entries, parts: PickerParts): Promise<void> {
	if (!session.offer) return;
	aimAt(session, 'next');
	await pick(session, session.offer.number, parts);
}

/** What was pointed at in one entry is replaced by what is not like it. */
function beginWithOther(session: PickerSession): void {
	session.one = session.one?.unlike ?? session.one;
}

/** A page that could not be opened, or the one that has taken its place. */
async function openAt(session: PickerSession, entries: Entries, parts: PickerParts): Promise<void> {
	const url = entries.get('url')?.trim() ?? '';
	if (!isPageUrl(url)) throw new PageError(noPageUrl(url));
	await openAgain(session, { url }, parts);
}

/** The page of the list anew, from another address or by a browser; what was pointed at before stays. */
async function openAgain(
	session: PickerSession,
	other: Partial<Pick<Draft, 'url' | 'page'>>,
	parts: PickerParts,
): Promise<void> {
	const draft = { ...session.draft, ...other };
	const opened = await openList(parts, draft, session.site);
	const aim = await firstAim(parts, draft, opened);
	Object.assign(session, opened, { draft, aim, one: undefined, detail: undefined, shown: 'list' });
	session.reopened = (await shownMarks(parts.readers, session)).outline;
}

function limitPages({ draft }: PickerSession, entries: Entries): void {
	const text = entries.get('pages')?.trim() ?? '';
	const pages = text === '' ? undefined : loopTimes.safeParse(Number(text));
	if (pages?.success === false) {
		throw new PageError(
			`Pages at most: a whole number from 1 to ${maxLoopTimes.toLocaleString('en-GB')}, or nothing for all pages, not “${shortened(text, 40)}”.`,
		);
	}
	if (draft.next) draft.next.maxPages = pages?.data;
}

/** Entries without what a column reads, such as advertisements, are none. */
function leaveOut({ draft }: PickerSession, entries: Entries): void {
	const column = draft.columns.find(({ id }) => id === entries.get('id'));
	if (draft.entries === undefined || column?.selector === undefined) return;
	draft.entries = `${draft.entries}:has(${column.selector})`;
}
