import { PageError } from '../pages/page.ts';
import type { FoundNext, SeenNext } from './document/next.ts';
import { isNamed } from './selectors/selectorOf.ts';
import type { Source } from '../pages/http/reader.ts';
import { shortened } from '../text/shortened.ts';
import { withoutFragment } from '../text/withoutFragment.ts';
import { fieldOf } from './draft.ts';
import { openPage, type PickerParts } from './openPage.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { FoundOnNext, PickerState } from './state.ts';

/** A link to the next page: the selector that leads on from each page, and what was looked for there. */
export interface NextPage {
	selector: string;
	/** Undefined: it could not be looked at. */
	found: FoundOnNext | undefined;
}

/**
 * Looks at the page that "next" leads to: it has to have what is read. Throws a PageError or a ServiceError
 * for people.
 */
export async function nextPage(
	{ draft, list }: PickerState,
	number: number,
	parts: PickerParts,
): Promise<NextPage> {
	const { readers } = parts;
	const next = await readers.ask(list, 'foundNext', number);
	const [usual = ''] = next.selectors;
	const { label, href, sendsForm } = next;
	const isLink = href !== undefined && /^https?:/.test(href) && !isSame(href, list.url);
	if (!isLink && !sendsForm && draft.page === 'http') {
		throw new PageError(
			'This leads on by JavaScript, which does not run on a page opened as plain HTML. Begin again with the address, and choose “in a browser”.',
		);
	}
	const second = isLink
		? await openPage(parts, draft, href, { isLinked: true })
		: // Of a button that does nothing here and now, only a batch can tell.
			await openPage(parts, draft, list.url, { clicked: usual }).catch(() => undefined);
	if (!second) return { selector: usual, found: undefined };
	try {
		const found = await foundOn(second, { draft, list }, readers);
		if (found?.count === 0) {
			const what = draft.entries === undefined ? 'columns' : 'entries';
			throw new PageError(
				`The next page has 0 of these ${what}: “${shortened(label, 40)}” leads to ${shortened(second.url, 200)}. Point at what leads to more of the list.`,
			);
		}
		const selector = isLink ? await stableSelector({ draft, list }, next, second, parts) : usual;
		return { selector, found };
	} finally {
		readers.forget(second);
	}
}

/** What the second page has of a draft; undefined: there are neither entries nor columns. */
async function foundOn(
	page: Source,
	{ draft: { entries, columns }, list }: FirstPage,
	readers: PickerReaders,
): Promise<FoundOnNext | undefined> {
	if (entries === undefined && columns.length === 0) return undefined;
	const fields = columns.map(fieldOf);
	const marks = await readers.ask(page, 'marks', { entries, columns: fields, next: undefined });
	if (entries === undefined) {
		return { count: marks.columns.filter((found) => found.length > 0).length, areOthers: false };
	}
	const said = await readers.ask(page, 'saidEntries', entries);
	const areOthers = await readers.ask(list, 'standElsewhere', entries, said);
	return { count: marks.entries.length, areOthers };
}

/** A selector of what leads on, and what it finds on the page that is led to. */
interface Candidate {
	selector: string;
	there: SeenNext | undefined;
}

type FirstPage = Pick<PickerState, 'draft' | 'list'>;

/**
 * A selector that leads from page to page: it is tried on the page that the link leads to. There it has
 * to find what leads on, and no way back; or nothing, where nothing leads on. Throws a PageError for
 * people.
 */
async function stableSelector(
	first: FirstPage,
	{ selectors, label }: FoundNext,
	second: Source,
	parts: PickerParts,
): Promise<string> {
	const { readers } = parts;
	const seen = await readers.ask(second, 'seenBy', selectors);
	const candidates = selectors.map((selector, index) => ({ selector, there: seen[index] }));
	const wanted = labelAfter(label);
	const isAtEnd = async () => !(await readers.ask(second, 'saysSomewhere', wanted));
	const stable =
		leadingOn(candidates, [first.list, second], wanted) ??
		((await isAtEnd()) ? await endingThere(candidates, first, parts) : undefined);
	if (stable) return stable.selector;
	throw new PageError(
		`On the next page, nothing tells the link that leads on from those that lead elsewhere: “${label}” has no name, and no place of its own. Point at another link to the next page, such as “Next” or an arrow, or give the task a selector for it in its file.`,
	);
}

/** At a place "last" may stand as well, which leaves pages out; a name says what is meant, if not that of all links. */
function leadingOn(all: Candidate[], known: Source[], wanted: string): Candidate | undefined {
	const leading = all.filter(
		({ there }) => there && !known.some(({ url }) => isSame(there.href, url)),
	);
	return (
		leading.find(({ there }) => there?.label === wanted) ??
		leading.find(({ selector }) => isNamed(selector))
	);
}

/** Of two pages the second is the last: a batch ends there, or where it is led back to the first. */
async function endingThere(
	all: Candidate[],
	first: FirstPage,
	parts: PickerParts,
): Promise<Candidate | undefined> {
	const ending = all.find(({ there }) => !there);
	if (ending) return ending;
	const leadsBack = await Promise.all(all.map(({ there }) => isFirst(there?.href, first, parts)));
	return all.find((_, index) => leadsBack[index]);
}

async function isFirst(
	address: string | undefined,
	{ draft, list }: FirstPage,
	parts: PickerParts,
): Promise<boolean> {
	if (address === undefined || isSame(address, list.url)) return address !== undefined;
	const page = await openPage(parts, draft, address).catch(() => undefined);
	if (page) parts.readers.forget(page);
	return page !== undefined && Buffer.compare(page.body, list.body) === 0;
}

/** What leads on from the next page says the same; a number is one more. */
function labelAfter(label: string): string {
	return /^\d+$/.test(label) ? String(Number(label) + 1) : label;
}

function isSame(address: string | undefined, url: string): boolean {
	return address !== undefined && withoutFragment(address) === withoutFragment(url);
}
