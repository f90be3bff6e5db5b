import { PageError } from '../pages/page.ts';
import { isFromEnd, isNumber, type NamedNext } from './document/next.ts';
import { isNamed } from './selectors/selectorOf.ts';
import type { Source } from '../pages/http/reader.ts';
import { saysNext } from '../pages/saysNext.ts';
import { shortened } from '../text/shortened.ts';
import type { DraftNext } from './draft.ts';
import { foundOn } from './foundOn.ts';
import { openPage, type PickerParts } from './openPage.ts';
import { isSame, PagesBehind } from './pagesBehind.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { FoundOnNext, PickerState } from './state.ts';

/** What leads to the next page, from each page, and what was looked for there. */
export interface NextPage extends Pick<DraftNext, 'selector' | 'says' | 'adds'> {
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
	const { label, href, sendsForm, saying } = next;
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
		if (!isLink) {
			const adds = await addsTo(list, second, draft.entries, readers);
			return { selector: usual, found, ...(adds && { adds }) };
		}
		const stable = (each: NamedNext) => stableSelector({ draft, list }, each, second, parts);
		const sayingSelector = saying && (await stable(saying).catch(() => undefined));
		const selector = sayingSelector ?? (await stable(next));
		// At a place, other links may stand on the page that a batch begins on.
		const says = sayingSelector === undefined ? label : saying?.label;
		return { selector, found, ...(says && saysNext(says) && !isNamed(selector) && { says }) };
	} finally {
		readers.forget(second);
	}
}

/** Whether a page has all entries of another one, and more behind them. */
async function addsTo(
	first: Source,
	second: Source,
	entries: string | undefined,
	readers: PickerReaders,
): Promise<true | undefined> {
	if (entries === undefined) return undefined;
	const [before, now] = await Promise.all(
		[first, second].map(async (page) => (await readers.ask(page, 'saidEntries', entries)).texts),
	);
	if (!before || !now || now.length <= before.length) return undefined;
	return before.every((text, index) => text === now[index]) || undefined;
}

/**
 * A selector that leads from page to page: it is tried on the page that the link leads to. There it has
 * to find what leads on, and no way back; or nothing, where nothing leads on. Throws a PageError for
 * people.
 */
async function stableSelector(
	first: Pick<PickerState, 'draft' | 'list'>,
	{ selectors: given, label }: NamedNext,
	second: Source,
	parts: PickerParts,
): Promise<string> {
	const { readers } = parts;
	const wanted = labelAfter(label);
	// Other texts are those of what they lead to, and others on each page: "February", "Chapter 2".
	const isLasting = saysNext(label) || isNumber(label);
	// A number moves along its row: at its place another one stands on the next page, or the one after that.
	const selectors = isNumber(label) ? given.filter(isNoPlace) : given;
	const seen = await readers.ask(second, 'seenBy', selectors);
	const all = selectors.map((selector, index) => ({ selector, there: seen[index] }));
	const behind = new PagesBehind(first, second, selectors, parts);

	const leading = all.filter(({ there }) => there && !behind.isKnown(there.href));
	const same = leading.filter(({ there }) => there?.label === wanted);
	if (isLasting && same[0]) return same[0].selector;
	// At a place "last" may stand as well, which leaves pages out; a name says what is meant, if not that of all links.
	const meant = isLasting ? leading.filter(({ selector }) => isNamed(selector)) : leading;
	const more = await behind.leadingOn([...same, ...meant]);
	if (more) return more.selector;
	// Many leave "Next" on the last page, where it leads to where it stands.
	const standing = all.find(
		({ there }) =>
			there && isSame(there.href, second.url) && (there.label === wanted || saysNext(there.label)),
	);
	if (isLasting && standing) return standing.selector;

	const back = await behind.leadingBack(all);
	const last = same.find((each) => !back.includes(each));
	if (last) return last.selector;
	const isAtEnd = !(await readers.ask(second, 'saysSomewhere', wanted));
	const beside = isLasting ? [] : back.flatMap(({ there }) => there?.beside ?? []);
	// On a page between two others, "previous" stands before "next".
	const atEnd = back.find(({ selector }) => isFromEnd(selector));
	const ending = all.find(({ there }) => !there) ?? atEnd ?? back[0];
	if (ending && isAtEnd && !(await behind.hasMore(beside))) return ending.selector;
	throw new PageError(
		`On the next page, nothing tells the link that leads on from those that lead elsewhere: “${label}” has no name, and no place of its own. Point at another link to the next page, such as “Next”, an arrow or a page number, or give the task a selector for it in its file.`,
	);
}

/** What leads on from the next page says the same; a number is one more. */
function labelAfter(label: string): string {
	return isNumber(label) ? String(Number(label) + 1) : label;
}

/** Whether a selector goes by a name, or by what stands before it, which is the current page. */
function isNoPlace(selector: string): boolean {
	return !isFromEnd(selector) && (isNamed(selector) || selector.includes(' + '));
}
