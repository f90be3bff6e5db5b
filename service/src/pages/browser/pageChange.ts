import { saysAnything } from '../../text/saysAnything.ts';
import type { Reading } from '../page.ts';
import {
	hasSameValues,
	hashOf,
	isRead,
	isWhole,
	rowsOf,
	type Fingerprint,
	type ReadContent,
} from '../seenPages.ts';
import type { Found } from './findInPage.ts';
import type { AskedData } from './askedData.ts';

// What a click has changed. Much on a page may change before what is read there does: a button that is
// disabled while a site is asked, a spinner, the number of the page.

/** What was found of a reading; the last two values of each element are its text and its HTML. */
export function readContent(found: Found | undefined, { selector, fields }: Reading): ReadContent {
	const width = fields.length + 2;
	const all = found?.values ?? [];
	const elements = Array.from({ length: all.length / width }, (_, index) => {
		const said = all.slice(index * width, (index + 1) * width);
		return { values: said.slice(0, -2), text: said.at(-2), html: said.at(-1) };
	});
	const values = elements.flatMap((element) => element.values);
	const rows = elements.map((element) =>
		JSON.stringify(selector === undefined ? element.values : [element.values, element.text]),
	);
	const byColumn = fields.map((_, column) =>
		elements.map((element) => element.values[column] ?? []),
	);
	return {
		values: hashOf(JSON.stringify(values)),
		columns: byColumn.map((said) =>
			said.some(isFilled) ? hashOf(JSON.stringify(said)) : undefined,
		),
		gaps: byColumn.map((said) => said.filter((each) => !each.some(saysAnything)).length),
		counts: found?.counts?.slice(0, fields.length) ?? [],
		...rowsOf(rows),
		html: hashOf(JSON.stringify(elements.map(({ html }) => html))),
		saysSomething: values.some(isFilled),
	};
}

/** A text that ends in dots counts, too, other than where rows are read: there it is waited for two seconds, here as long as a click has. */
function isFilled(said: (string | null)[]): boolean {
	return said.some((each) => each !== null && each.trim() !== '');
}

/** Whether of what is read, a column says what it said before, though another one has changed. */
export function keepsAColumn(now: Fingerprint, before: Fingerprint): boolean {
	return now.read.some(({ columns }, index) => {
		const kept = columns.map((said, column) => said === before.read[index]?.columns[column]);
		return (
			kept.includes(false) && columns.some((said, column) => said !== undefined && kept[column])
		);
	});
}

/** Whether all rows that were read are there still, beside others: a list may be taken away only once the next one has come. */
export function keepsAllRows(now: Fingerprint, before: Fingerprint): boolean {
	return now.read.some(({ each }, index) => {
		const [rows, kept] = [new Set(each), before.read[index]?.each ?? []];
		return kept.length > 0 && each.length > kept.length && kept.every((row) => rows.has(row));
	});
}

/**
 * Whether a page that was looked at before a click has become another one: what is read there has changed,
 * and whatever was there of it is there again. One that nothing was read of has changed with its HTML.
 */
export function isAnother(now: Fingerprint, before: Fingerprint, hasOpened: boolean): boolean {
	return isWhole(now, before) && (hasOpened || hasChanged(now, before));
}

function hasChanged(now: Fingerprint, before: Fingerprint): boolean {
	if (!isRead(before.read)) return now.content !== before.content;
	return !hasSameValues(now, before);
}

/** Whether nothing of what is read has changed, whatever else has, at the same address. */
export function readsTheSame(now: Fingerprint, before: Fingerprint): boolean {
	if (!isRead(before.read) || now.address !== before.address) return false;
	if (now.beside !== before.beside) return false;
	// What an element says of itself, or what is read beside it, is none of the HTML in it.
	const isAsBefore = now.read.every(({ html }, index) => html === before.read[index]?.html);
	return isAsBefore && hasSameValues(now, before);
}

/** Whether what is read behind a click says something else. Where it is gone, as a panel that was closed, it says nothing. */
export function saysOtherBehind(now: Fingerprint, before: Fingerprint): boolean {
	return now.behind.some(
		({ saysSomething, values }, index) => saysSomething && values !== before.behind[index]?.values,
	);
}

/** Milliseconds for what scripts do at a time to be known, also on a busy machine. */
const knownWithin = 1_000;

/**
 * Whether a page still may change after a click: for the `usual` milliseconds, as they are at the moment, and while scripts
 * wait for a time then, which `hasTimes` says so long after the click, and as long as data is on its way that it has asked
 * for until then, for `most` of them.
 */
export function untilAnswered(
	data: AskedData,
	{
		usual,
		most,
		hasTimes,
	}: { usual: () => number; most: number; hasTimes?: (passed: number) => Promise<boolean> },
): () => Promise<boolean> {
	const begun = performance.now();
	let awaited: AskedData['unanswered'] | undefined;
	let waited = -Infinity;
	return async () => {
		const passed = performance.now() - begun;
		if (passed < usual()) return true;
		if (passed >= most) return false;
		if (awaited === undefined && (await hasTimes?.(passed))) waited = passed;
		// What scripts do then, as asking for data, is known a moment later.
		if (awaited === undefined && passed < waited + knownWithin) return true;
		awaited ??= data.unanswered;
		return data.awaits(awaited);
	};
}
