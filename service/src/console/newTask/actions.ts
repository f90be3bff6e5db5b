import { ServiceError } from '../../errors/serviceError.ts';
import { PageError } from '../../pages/page.ts';
import type { Source } from '../../pages/http/reader.ts';
import type { PickerReaders } from '../../picker/pickerReaders.ts';
import { loopTimes, maximumLoopTimes } from '../../tasks/values.ts';
import type { Entries } from '../entries.ts';
import { grouped, shortened } from '../words.ts';
import { addColumn, allColumns, changeColumn, newColumn } from './columnActions.ts';
import { stateOf } from './history.ts';
import { nextPage } from './nextPage.ts';
import type { Aim, Pointing, Pointings } from './pointings.ts';

/** What someone does to a draft; `entries` are those of a form. */
export async function act(pointing: Pointing, entries: Entries, parts: Parts): Promise<void> {
	pointing.mistake = undefined;
	const name = entries.get('action') ?? '';
	if (name === 'undo' || name === 'redo') return pointing.history[name](pointing);
	const before = stateOf(pointing);
	try {
		await actions.get(name)?.(pointing, entries, parts);
		pointing.history.note(before, pointing);
	} catch (error) {
		if (!(error instanceof PageError) && !(error instanceof ServiceError)) throw error;
		pointing.mistake = error.message;
	}
}

interface Parts {
	readers: PickerReaders;
	pointings: Pointings;
}

type Action = (pointing: Pointing, entries: Entries, parts: Parts) => Promise<void> | void;

const actions = new Map<string, Action>([
	['point', (pointing, entries, parts) => point(pointing, Number(entries.get('number')), parts)],
	['aim', (pointing, entries) => aimAt(pointing, entries.get('aim') ?? '')],
	['show', (pointing, entries, parts) => show(pointing, entries.get('page') ?? '', parts)],
	['forget', (pointing, entries) => forget(pointing, entries.get('what') ?? '')],
	['column', changeColumn],
	['narrow', leaveOut],
	['pages', limitPages],
	['browser', openInBrowser],
	['next', takeNext],
	['selectors', (pointing) => void (pointing.showsSelectors = !pointing.showsSelectors)],
]);

async function point(pointing: Pointing, number: number, parts: Parts): Promise<void> {
	const { draft, aim, one } = pointing;
	const { readers } = parts;
	const source = shownPage(pointing);
	if (pointing.shown === 'detail') {
		const found = await readers.ask(source, 'foundColumn', undefined, number);
		if (draft.detail) addColumn(draft.detail.columns, found, allColumns(pointing));
	} else if (aim === 'entries' && one === undefined) {
		pointing.one = { number, ...(await readers.ask(source, 'foundElement', number)) };
	} else if (aim === 'entries' && one !== undefined) {
		const entries = await readers.ask(source, 'foundList', one.number, number);
		if (entries === undefined) {
			// What was clicked first may be in no list, such as the button of a banner: the newest is meant.
			const found = await readers.ask(source, 'foundElement', number);
			pointing.one = { number, ...found, unlike: one.text };
			return;
		}
		draft.entries = entries;
		pointing.one = undefined;
		pointing.aim = 'column';
		const found = await readers
			.ask(source, 'foundColumn', draft.entries, one.number)
			.catch(() => undefined);
		draft.columns = found ? [newColumn(found, [])] : [];
		draft.detail = undefined;
	} else if (aim === 'column') {
		const found = await readers.ask(source, 'foundColumn', draft.entries, number);
		addColumn(draft.columns, found, allColumns(pointing));
	} else if (aim === 'next') {
		const { selector, found } = await nextPage(pointing, number, parts);
		draft.next = { selector, maxPages: draft.next?.maxPages };
		pointing.foundOnNext = found;
		pointing.aim = 'column';
	} else {
		const { entries } = draft;
		if (entries === undefined) throw new PageError('Select the list first.');
		const { selectors } = await readers.ask(source, 'foundColumn', entries, number);
		if (!selectors.href) throw new PageError('This is not a link: point at one in an entry.');
		const link = selectors.href.selector;
		await openDetail(pointing, number, parts);
		draft.detail = { link, columns: [] };
		pointing.aim = 'column';
	}
}

/** Opens the page that a link leads to: one that was pointed at, or that of the first entry. */
async function openDetail(
	pointing: Pointing,
	at: number | { entries: string; link: string | undefined },
	{ readers, pointings }: Parts,
): Promise<void> {
	const { draft } = pointing;
	const url = await readers.ask(pointing.list, 'linkIn', at);
	pointing.detail = await pointings.open(draft, url);
	pointing.shown = 'detail';
}

async function show(pointing: Pointing, page: string, parts: Parts): Promise<void> {
	const { detail } = pointing.draft;
	pointing.aim = 'column';
	if (page === 'detail' && detail && !pointing.detail) {
		const entries = pointing.draft.entries ?? '';
		await openDetail(pointing, { entries, link: detail.link }, parts);
	}
	pointing.shown = page === 'detail' && pointing.detail ? 'detail' : 'list';
}

const aims: readonly string[] = ['entries', 'column', 'next', 'follow'] satisfies Aim[];

function aimAt(pointing: Pointing, aim: string): void {
	if (!isAim(aim)) return;
	pointing.aim = aim;
	pointing.one = undefined;
	pointing.shown = 'list';
}

function isAim(text: string): text is Aim {
	return aims.includes(text);
}

function forget(pointing: Pointing, what: string): void {
	const { draft } = pointing;
	pointing.one = undefined;
	// What was looked at on the next page were the entries of now.
	if (what === 'next' || what === 'entries') {
		draft.next = undefined;
		pointing.foundOnNext = undefined;
	}
	if (what === 'detail' || what === 'entries') {
		draft.detail = undefined;
		pointing.detail = undefined;
		pointing.shown = 'list';
	}
	if (what === 'entries') {
		// Selectors inside of entries mean nothing on the whole page.
		draft.entries = undefined;
		draft.columns = [];
		pointing.aim = 'entries';
	}
}

/** What seems to lead on is looked at as if it had been pointed at. */
async function takeNext(pointing: Pointing, _: Entries, parts: Parts): Promise<void> {
	if (!pointing.offer) return;
	aimAt(pointing, 'next');
	await point(pointing, pointing.offer.number, parts);
}

/** The same page again, as its scripts make it; what was pointed at before stays. */
async function openInBrowser(
	pointing: Pointing,
	_: Entries,
	{ readers, pointings }: Parts,
): Promise<void> {
	const draft = { ...pointing.draft, page: 'browser' as const };
	const list = await pointings.open(draft, pointing.list.url);
	const offer = await readers.ask(list, 'nextOffer');
	Object.assign(pointing, { draft, list, offer, one: undefined, detail: undefined, shown: 'list' });
}

function limitPages({ draft }: Pointing, entries: Entries): void {
	const text = entries.get('pages')?.trim() ?? '';
	const pages = text === '' ? undefined : loopTimes.safeParse(Number(text));
	if (pages?.success === false) {
		throw new PageError(
			`Pages at most: a whole number from 1 to ${grouped(maximumLoopTimes)}, or nothing for all pages, not “${shortened(text, 40)}”.`,
		);
	}
	if (draft.next) draft.next.maxPages = pages?.data;
}

/** The page that is in the frame. */
export function shownPage({ shown, list, detail }: Pointing): Source {
	return shown === 'detail' && detail ? detail : list;
}

/** Entries without what a column reads, such as advertisements, are none. */
function leaveOut({ draft }: Pointing, entries: Entries): void {
	const column = draft.columns.find(({ id }) => id === entries.get('id'));
	if (draft.entries === undefined || column?.selector === undefined) return;
	draft.entries = `${draft.entries}:has(${column.selector})`;
}
