import { ServiceError } from '../errors/serviceError.ts';
import { addressOf } from '../tasks/values.ts';
import type { Draft } from './draft.ts';
import { openPage, type PickerParts } from './openPage.ts';
import type { Aim, OpenedList } from './state.ts';

/** Opens the page of a draft; `site`: what `{site}` stands for. Throws a ServiceError for people. */
export async function openList(
	parts: PickerParts,
	draft: Draft,
	site: string,
): Promise<OpenedList> {
	const { readers } = parts;
	const asked = addressOf(draft.url, site);
	const list = await openPage(parts, draft, asked);
	return {
		list,
		unopened: undefined,
		ledFrom: isSamePlace(asked, list.url) ? undefined : asked,
		asksForPassword: await readers.ask(list, 'asksForPassword'),
		offer: await readers.ask(list, 'nextOffer'),
	};
}

/** The same; where that fails, an empty page, and the reason: what was pointed at is not lost by it. */
export async function openListOrNone(
	parts: PickerParts,
	draft: Draft,
	site: string,
): Promise<OpenedList> {
	try {
		return await openList(parts, draft, site);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const url = addressOf(draft.url, site);
		const list = parts.readers.add({ body: new Uint8Array(), url, contentType: 'text/html' });
		const none = { ledFrom: undefined, asksForPassword: false, offer: undefined };
		return { list, unopened: error.message, ...none };
	}
}

/** What is pointed at first: a list that finds nothing is pointed at anew. */
export async function firstAim(
	{ readers }: Pick<PickerParts, 'readers'>,
	{ entries, columns }: Draft,
	{ list }: Pick<OpenedList, 'list'>,
): Promise<Aim> {
	if (entries === undefined) return columns.length === 0 ? 'entries' : 'column';
	const marks = await readers.ask(list, 'marks', { entries, columns: [], next: undefined });
	return marks.entries.length === 0 ? 'entries' : 'column';
}

/** Whether two addresses differ in nothing but what sites correct: https, "www.", a "/" at the end; and what is no part of the page's. */
function isSamePlace(asked: string, landed: string): boolean {
	return plain(asked) === plain(landed);
}

function plain(address: string): string {
	const { host, pathname, search } = new URL(address);
	return host.replace(/^www\./, '') + pathname.replace(/\/$/, '') + search;
}
