import { PageError } from '../pages/page.ts';
import { addColumn, allColumns, newColumn } from './columnActions.ts';
import type { FoundColumn } from './document/foundColumn.ts';
import { fieldOf } from './draft.ts';
import { nextPage } from './nextPage.ts';
import { openPage, type PickerParts } from './openPage.ts';
import { shownPage } from './session.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { Aim, PickerState } from './state.ts';

/** Takes an element that was pointed at for what is pointed at next. Throws a PageError or a ServiceError for people. */
export async function pick(state: PickerState, number: number, parts: PickerParts): Promise<void> {
	await (state.shown === 'detail' ? pickDetail : picks[state.aim])(state, number, parts);
}

export function isAim(text: string): text is Aim {
	return Object.hasOwn(picks, text);
}

/** Opens the page that a link leads to: one that was pointed at, or that of the first entry. */
export async function openDetail(
	state: PickerState,
	at: number | { entries: string; link: string | undefined },
	parts: PickerParts,
): Promise<void> {
	const url = await parts.readers.ask(state.list, 'linkIn', at);
	state.detail = await openPage(parts, state.draft, url, { isLinked: true });
	state.shown = 'detail';
}

type Picking = (state: PickerState, number: number, parts: PickerParts) => Promise<void>;

const picks: Record<Aim, Picking> = {
	entries: pickEntry,
	column: pickColumn,
	next: pickNext,
	follow: pickLink,
};

async function pickDetail(
	state: PickerState,
	number: number,
	{ readers }: PickerParts,
): Promise<void> {
	const { detail } = state.draft;
	const found = await readers.ask(shownPage(state), 'foundColumn', undefined, number);
	if (detail) addColumn(detail.columns, found, allColumns(state));
}

/** Two elements of a list stand for its entries, and the first one for their first column. */
async function pickEntry(
	state: PickerState,
	number: number,
	{ readers }: PickerParts,
): Promise<void> {
	const { draft, list, one } = state;
	const entries = one && (await readers.ask(list, 'foundList', one.number, number));
	if (!one || entries === undefined) {
		const picked = { number, ...(await readers.ask(list, 'foundElement', number)) };
		// What was chosen first stays until somebody says that the other one is meant.
		state.one = one ? { ...one, unlike: picked } : picked;
		return;
	}
	// Those of a list that finds nothing any more are tried in the one that takes its place.
	if (draft.entries === undefined) draft.columns = [];
	draft.entries = entries;
	state.one = undefined;
	state.foundOnNext = undefined;
	state.aim = 'column';
	const found = await readers
		.ask(list, 'foundColumn', entries, one.number, number)
		.catch(() => undefined);
	if (!found || (await restoreColumn(state, found, readers))) return;
	const column = newColumn(found, allColumns(state));
	const isKnown = draft.columns.some(
		({ selector, taken }) => selector === column.selector && taken === column.taken,
	);
	if (!isKnown) draft.columns.unshift(column);
}

async function pickColumn(
	state: PickerState,
	number: number,
	{ readers }: PickerParts,
): Promise<void> {
	const { draft, list } = state;
	const found = await readers.ask(list, 'foundColumn', draft.entries, number);
	if (!(await restoreColumn(state, found, readers))) {
		addColumn(draft.columns, found, allColumns(state));
	}
}

/** A column that finds nothing on the page any more is what is called so there and was pointed at; resolves to whether there is one. */
async function restoreColumn(
	{ draft, list }: PickerState,
	found: FoundColumn,
	readers: PickerReaders,
): Promise<boolean> {
	const { entries, columns } = draft;
	const fields = columns.map(fieldOf);
	const { filled } = await readers.ask(list, 'marks', {
		entries,
		columns: fields,
		next: undefined,
	});
	const lost = columns.findIndex(({ name }, index) => filled[index] === 0 && name === found.name);
	const column = columns[lost];
	if (!column) return false;
	const { id, name } = column;
	columns[lost] = { ...newColumn(found, []), id, name };
	return true;
}

const noWayBack =
	'This list grows by a button, and the pages of its entries are to be read as well: whoever comes back from one finds the list as it was at first. Make two tasks: one that reads the links of the list, and one that opens them.';

async function pickNext(state: PickerState, number: number, parts: PickerParts): Promise<void> {
	const { draft } = state;
	const { found, ...next } = await nextPage(state, number, parts);
	if (next.adds && draft.detail) throw new PageError(noWayBack);
	draft.next = { ...next, maxPages: draft.next?.maxPages };
	state.foundOnNext = found;
	state.aim = 'column';
}

async function pickLink(state: PickerState, number: number, parts: PickerParts): Promise<void> {
	const { draft, list } = state;
	if (draft.entries === undefined) throw new PageError('Select the list first.');
	const { selectors } = await parts.readers.ask(list, 'foundColumn', draft.entries, number);
	if (!selectors.href) throw new PageError('This is not a link: point at one in an entry.');
	if (draft.next?.adds) throw new PageError(noWayBack);
	const link = selectors.href.selector;
	await openDetail(state, number, parts);
	draft.detail = { link, columns: [] };
	state.aim = 'column';
}
