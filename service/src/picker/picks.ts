import { PageError } from '../pages/page.ts';
import { addColumn, allColumns, newColumn } from './columnActions.ts';
import { nextPage } from './nextPage.ts';
import { openPage, type PickerParts } from './openPage.ts';
import { shownPage } from './session.ts';
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
		// What was clicked first may be in no list, such as the button of a banner: the newest is meant.
		const found = await readers.ask(list, 'foundElement', number);
		state.one = { number, ...found, ...(one && { unlike: one.text }) };
		return;
	}
	draft.entries = entries;
	state.one = undefined;
	state.aim = 'column';
	const found = await readers
		.ask(list, 'foundColumn', entries, one.number, number)
		.catch(() => undefined);
	draft.columns = found ? [newColumn(found, [])] : [];
	draft.detail = undefined;
}

async function pickColumn(
	state: PickerState,
	number: number,
	{ readers }: PickerParts,
): Promise<void> {
	const { draft, list } = state;
	const found = await readers.ask(list, 'foundColumn', draft.entries, number);
	addColumn(draft.columns, found, allColumns(state));
}

async function pickNext(state: PickerState, number: number, parts: PickerParts): Promise<void> {
	const { draft } = state;
	const { selector, found } = await nextPage(state, number, parts);
	draft.next = { selector, maxPages: draft.next?.maxPages };
	state.foundOnNext = found;
	state.aim = 'column';
}

async function pickLink(state: PickerState, number: number, parts: PickerParts): Promise<void> {
	const { draft, list } = state;
	if (draft.entries === undefined) throw new PageError('Select the list first.');
	const { selectors } = await parts.readers.ask(list, 'foundColumn', draft.entries, number);
	if (!selectors.href) throw new PageError('This is not a link: point at one in an entry.');
	const link = selectors.href.selector;
	await openDetail(state, number, parts);
	draft.detail = { link, columns: [] };
	state.aim = 'column';
}
