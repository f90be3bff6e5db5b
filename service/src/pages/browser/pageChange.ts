import { hashOf, isRead, type Fingerprint, type ReadContent } from '../seenPages.ts';
import type { Found } from './findInPage.ts';
import type { Network } from './network.ts';

// What a click has changed. Much on a page may change before what is read there does: a button that is
// disabled while a site is asked, a spinner, the number of the page.

/** What was found of a reading; `width`: the values of each element, the last of which is its HTML. */
export function readContent(found: Found | undefined, width: number): ReadContent {
	const all = found?.values ?? [];
	const isHtml = (_: unknown, index: number) => index % width === width - 1;
	const values = all.filter((value, index) => !isHtml(value, index));
	const rows = Array.from({ length: all.length / width }, (_, row) =>
		JSON.stringify(all.slice(row * width, (row + 1) * width - 1)),
	);
	return {
		values: hashOf(JSON.stringify(values)),
		areVaried: rows.some((row) => row !== rows[0]),
		html: hashOf(JSON.stringify(all.filter(isHtml))),
		saysSomething: values.some((said) => said.some((each) => each !== null && each.trim() !== '')),
	};
}

/**
 * Whether a page that was looked at before a click has become another one: what is read there has changed,
 * and whatever was there of it is there again. One that nothing was read of has changed with its HTML.
 */
export function isAnother(now: Fingerprint, before: Fingerprint, hasOpened: boolean): boolean {
	const isWhole = before.read.every(
		({ saysSomething }, index) => !saysSomething || now.read[index]?.saysSomething,
	);
	return isWhole && (hasOpened || hasChanged(now, before));
}

function hasChanged(now: Fingerprint, before: Fingerprint): boolean {
	if (!isRead(before.read)) return now.content !== before.content;
	return now.read.some(({ values }, index) => values !== before.read[index]?.values);
}

/** Whether nothing of what is read has changed, whatever else has, at the same address. */
export function readsTheSame(now: Fingerprint, before: Fingerprint): boolean {
	if (!isRead(before.read) || now.address !== before.address) return false;
	return now.read.every(({ html }, index) => html === before.read[index]?.html);
}

/**
 * Whether a page still may change after a click: for the `usual` milliseconds, and for as long as data is on
 * its way then that it has asked for, for `most` of them.
 */
export function untilAnswered(
	network: Network,
	{ usual, most }: { usual: number; most: number },
): () => boolean {
	const begun = performance.now();
	let awaited: ReturnType<() => Network['unanswered']> | undefined;
	return () => {
		const passed = performance.now() - begun;
		if (passed < usual) return true;
		awaited ??= network.unanswered;
		return passed < most && network.awaits(awaited);
	};
}
