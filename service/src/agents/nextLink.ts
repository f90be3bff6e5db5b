import { foldSpaces } from '../pages/fieldValue.ts';
import type { Page, PageField } from '../pages/page.ts';
import type { Fingerprint } from '../pages/seenPages.ts';
import { withoutFragment } from '../text/withoutFragment.ts';
import { saysEnd, saysMore, saysNext } from '../pages/saysNext.ts';

// What a selector finds at the place of "next" may be "previous" on the last page.

/** What the link to the next page says of itself. */
interface Said {
	/** For people: its text, or what an icon says for one; empty if there is neither. */
	label: string;
	/** By which it is known: its words, or what it looks like. */
	words: string[];
	/** Which way it leads, where its relation or a class tells. */
	way: string | undefined;
	/** Where it leads to; empty if it is no link. */
	to: string;
}

/** Another link than that to the next page. */
interface Other {
	/** For people: what it says. */
	reason: string;
	/**
	 * Whether there may be more: it leads to a page that was not read, or only a click would show what it does.
	 */
	leavesPages: boolean;
}

const labels: PageField[] = [
	{ id: 'text', trim: false },
	{ id: 'aria-label', attribute: 'aria-label' },
	{ id: 'inner aria-label', selector: '[aria-label]', attribute: 'aria-label' },
	{ id: 'title', attribute: 'title' },
	{ id: 'value', attribute: 'value' },
	{ id: 'alt', selector: 'img[alt]', attribute: 'alt' },
];
const ways: PageField[] = [
	{ id: 'rel', attribute: 'rel' },
	{ id: 'inner rel', selector: 'a[rel]', attribute: 'rel' },
	{ id: 'class', attribute: 'class' },
];
const addresses: PageField[] = [
	{ id: 'href', attribute: 'href' },
	{ id: 'inner href', selector: 'a[href]', attribute: 'href' },
];
/** What leads past the last of the numbers: an arrow that does not point back, or dots. */
const behindNumbers = /^(next\b.*|[^\p{L}\p{N}‹«<←]+)$/iu;
const picture: PageField = { id: 'html', html: true };

/** The link by which a loop by page goes on: what it has said on the pages of the loop so far. */
export class NextLink {
	readonly #page: Page;
	readonly #selector: string;
	#now: Said | undefined;
	/** On the page before. */
	#before: Said | undefined;
	/** Whether that is a name of the link itself, and no title of the page that it led to. */
	#isName = false;

	/** `says`: what the link says, where that is known beforehand. */
	constructor(page: Page, selector: string, says?: string) {
		this.#page = page;
		this.#selector = selector;
		if (says === undefined) return;
		const label = foldSpaces(says);
		this.#before = { label, words: wordsOf(label), way: undefined, to: '' };
		this.#isName = true;
	}

	/** Where it leads to from the page that was open when it was looked at, if by an address; without a fragment. */
	get to(): string | undefined {
		const { to = '' } = this.#now ?? {};
		return /^https?:/.test(to) ? withoutFragment(to) : undefined;
	}

	/** The same, unless that is the page itself. */
	#leadsTo({ address }: Fingerprint): string | undefined {
		return this.to === address ? undefined : this.to;
	}

	/**
	 * Of a page that was seen before: whether another one has come than this leads to. A site that has forgotten its visitor
	 * sends back to the first page, and one whose scripts do not get their data may open its page anew.
	 */
	hasLedBack(after: Fingerprint, before: Fingerprint): boolean {
		if (!after.byAddress) return false;
		const to = this.#leadsTo(before);
		if (to !== undefined) return to !== after.address;
		return after.address === before.address && !before.byAddress;
	}

	/** Whether the page has come once more of a click that has no address: that may be its last, or be opened anew. */
	hasOpenedAnew(after: Fingerprint, before: Fingerprint): boolean {
		const isScripted = this.#leadsTo(before) === undefined;
		return isScripted && after.byAddress && after.address === before.address;
	}

	/** Whether only scripts lead on from the open page. */
	async isScripted(): Promise<boolean> {
		const now = await this.#look();
		return now !== undefined && this.#isScripted(now);
	}

	/** Looks at the link of the open page, and whether what it says shows that it is another one. `isSeen`: whether a page was read. */
	async lookForOther(isSeen: (address: string) => boolean): Promise<Other | undefined> {
		const now = (this.#now = await this.#look());
		const before = this.#before;
		if (!now || !before) return undefined;
		const isUnseen = now.to !== '' && !isSeen(now.to);
		const isNew = isNumber(before) && isUnseen;
		if (this.#leadsOn(now, before, isNew)) return undefined;
		const reason = `${this.#selector} says "${now.label}", and not "${before.label}"`;
		const mayLeadOn = (isUnseen || this.#isScripted(now)) && !saysEnd(now.label);
		return { reason, leavesPages: isNew || mayLeadOn };
	}

	/** It has led to another page. */
	followed(): void {
		const [now, before] = [this.#now, this.#before];
		if (!now) return;
		this.#isName = saysNext(now.label) || isNumber(now) || (!!before && saysTheSame(now, before));
		this.#before = now;
	}

	#leadsOn(now: Said, before: Said, isNew: boolean): boolean {
		if (now.way !== undefined && before.way !== undefined) return now.way === before.way;
		if (!this.#isName || saysTheSame(now, before)) return true;
		// A link to all of it may bring again what was read.
		if (this.#isScripted(now) && saysMore(now.label)) return true;
		// The last of the numbers may stand before "next", or what leads to the next of them.
		return isNumber(before) && (saysNext(now.label) || (isNew && behindNumbers.test(now.label)));
	}

	/** Whether it has no address that another page could come from. */
	#isScripted({ to }: Said): boolean {
		const isHere = () => withoutFragment(to) === withoutFragment(this.#page.address());
		return to === '' || !/^https?:/.test(to) || isHere();
	}

	async #look(): Promise<Said | undefined> {
		const fields = [...labels, ...ways, ...addresses, picture];
		for await (const [row] of this.#page.read(this.#selector, fields)) {
			const said = ({ id }: PageField) => foldSpaces(row?.[id]?.[0] ?? '');
			const label = labels.map(said).find((each) => each !== '') ?? '';
			const words = label === '' ? [said(picture)] : wordsOf(label);
			const to = addresses.map(said).find((each) => each !== '') ?? '';
			return { label, words, way: wayOf(ways.map(said).join(' ')), to };
		}
		return undefined;
	}
}

/** Without what counts: "Next 20 results", "Page 3". Arrows count where there is nothing else. */
function wordsOf(label: string): string[] {
	const words = label.toLowerCase().replace(/\d+/g, '#').split(' ');
	const spelled = words.filter((word) => /\p{L}/u.test(word));
	return spelled.length > 0 ? spelled : words;
}

function wayOf(names: string): string | undefined {
	const [, way] = /(?:^|[\s_-])(next|prev)(?:ious)?(?:$|[\s_-])/i.exec(names) ?? [];
	return way?.toLowerCase();
}

function isNumber({ words }: Said): boolean {
	return words.join('') === '#';
}

/** Whether all words of one are in the other, if with another end ("result", "results"). */
function saysTheSame(now: Said, before: Said): boolean {
	const isSame = (one: string, other: string) =>
		one === other ||
		(Math.min(one.length, other.length) > 3 && (one.startsWith(other) || other.startsWith(one)));
	return before.words.every((word) => now.words.some((each) => isSame(each, word)));
}
