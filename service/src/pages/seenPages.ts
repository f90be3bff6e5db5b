import { createHash } from 'node:crypto';
import { withoutFragment } from '../text/withoutFragment.ts';
import { withoutMarkup } from '../text/withoutMarkup.ts';

/** What tells a page from others. */
export interface Fingerprint {
	/** Without its fragment. */
	address: string;
	/** A hash of the HTML. */
	content: string;
	/** Whether the address alone says which page it is: no sent form and no script has made it. */
	byAddress: boolean;
	/** Whether its address brings it again: where a script has changed that, it may not. */
	comesAgain: boolean;
	/** Of each thing that is to be read there. */
	read: ReadContent[];
	/** A hash of what is read beside that. */
	beside: string;
	/** Of each thing that is read behind a click. */
	behind: ReadContent[];
	/**
	 * A hash of all that its rows say; where they do not differ, of the text of the page, too, since they tell no page
	 * from others. Undefined where it has none.
	 */
	rows: { hash: string; areVaried: boolean } | undefined;
	/** What each of its rows says. */
	each: string[];
	/**
	 * Whether rows that were left out, since they were hidden beside others (`LookAtPage.parts`), have gone since the page
	 * was looked at last, and were never shown.
	 */
	partsHaveGone?: boolean;
}

/**
 * The rows that a page has of something that is to be read there: their values, and all that the elements say
 * which they stand in. Two pages may well have the same prices.
 */
export interface ReadRows {
	/** A hash of it. */
	rows: string;
	/** That of each row. */
	each: string[];
	/** Whether two of them differ: a single one, or one that comes again and again, may well stand on several pages. */
	areVaried: boolean;
}

/** The rows that say this. */
export function rowsOf(each: string[]): ReadRows {
	return { each, rows: hashOf(each.join()), areVaried: each.some((row) => row !== each[0]) };
}

/** What a page says of something that is to be read there. */
export interface ReadContent extends ReadRows {
	/** A hash of the values. */
	values: string;
	/** Of each column, a hash of its values; undefined where it has none. */
	columns: (string | undefined)[];
	/** Of each column, in how many rows it says nothing, or only holds the place of what comes. */
	gaps: number[];
	/** Of each column, of how many elements of the page it is the first; 0 where it is read inside of rows. */
	counts: number[];
	/** A hash of the HTML that they are in. */
	html: string;
	/** Whether any of the values says something: an element that is still empty does not. */
	saysSomething: boolean;
}

/** The fingerprint of a page with this URL and HTML. */
export function fingerprintOf(
	url: string,
	html: string | Uint8Array,
	{
		byAddress,
		read = [],
		rows = read,
		beside = [],
		behind = [],
	}: {
		byAddress: boolean;
		read?: ReadContent[];
		rows?: ReadRows[];
		beside?: ReadRows[];
		behind?: ReadContent[];
	},
): Fingerprint {
	const all = [...rows, ...beside, ...behind.filter(({ saysSomething }) => saysSomething)];
	const said = all.map((each) => each.rows).join();
	const areVaried = all.some((each) => each.areVaried);
	const each = rows.flatMap((of) => of.each);
	const hasRows = each.length > 0 && !isBare(read);
	return {
		address: withoutFragment(url),
		content: hashOf(html),
		byAddress,
		comesAgain: byAddress,
		read,
		beside: beside.map((each) => each.rows).join(),
		behind,
		rows:
			areVaried || hasRows
				? { hash: areVaried ? said : `${said} ${textOf(html)}`, areVaried }
				: undefined,
		each,
	};
}

/** A hash of what a page says, which a link in it or a token does not change. */
function textOf(html: string | Uint8Array): string {
	return hashOf(
		withoutMarkup(typeof html === 'string' ? html : Buffer.from(html).toString('latin1')),
	);
}

export function hashOf(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('base64url');
}

/**
 * The pages that a loop by page was on. Pages that have an address of their own are compared by it,
 * because their HTML may hold something that is new each time; and by their HTML alone, because the first
 * one often has two addresses: unless nothing is there yet of what is to be read, as where scripts make
 * all pages of the same HTML. Others are compared by address and HTML. A page with the rows of one before has
 * been seen as well: sites show the last one again, or the first to a visitor whom they have forgotten. Where it has a
 * single one, all of its text has to be that of the one before.
 */
export class SeenPages {
	/** Hashes, since addresses may be long, and many. */
	readonly #seen = new Set<string>();

	/** Whether a page of this address was seen, which alone says which page it is. */
	has(address: string): boolean {
		return this.#hasOneOf([withoutFragment(address)]);
	}

	/** By what a page was seen before: as a page, or by what its rows say alone; undefined if it was not. */
	seenBy(page: Fingerprint): 'page' | 'rows' | undefined {
		if (this.#hasOneOf(namesOf(page))) return 'page';
		return this.#hasOneOf(saidBy(page)) ? 'rows' : undefined;
	}

	/** Takes note of a page; false if it was seen before. */
	add(page: Fingerprint): boolean {
		const isNew = this.seenBy(page) === undefined;
		const { address, content } = page;
		const names = [
			...namesOf({ ...page, comesAgain: true }),
			`${address} ${content}`,
			...saidBy(page),
		];
		for (const name of names) this.#seen.add(hashOf(name));
		return isNew;
	}

	#hasOneOf(names: string[]): boolean {
		return names.some((name) => this.#seen.has(hashOf(name)));
	}
}

/** What tells a page from others by what it says; of one to which a script has given its address, that is its HTML, too. */
function saidBy({ rows, byAddress, comesAgain, content, read }: Fingerprint): string[] {
	const html = byAddress && !comesAgain && !isBare(read) ? content : undefined;
	return [rows?.hash, html].filter((each) => each !== undefined);
}

function namesOf({ address, content, byAddress, comesAgain, read }: Fingerprint): string[] {
	if (!byAddress) return [`${address} ${content}`];
	return isBare(read) || !comesAgain ? [address] : [address, content];
}

/** Whether nothing is there yet of what is to be read, as far as that is known. */
function isBare(read: ReadContent[]): boolean {
	return read.length > 0 && !isRead(read);
}

/** Whether a page has anything of what is to be read there. */
export function isRead(read: ReadContent[]): boolean {
	return read.some(({ saysSomething }) => saysSomething);
}

/** Whether two pages say the same of what is to be read there; where the one says nothing, whether they are equal. */
export function saysTheSame(one: Fingerprint, other: Fingerprint): boolean {
	if (!isRead(one.read)) return one.content === other.content;
	return one.beside === other.beside && hasSameValues(one, other);
}

/** Whether what is to be read on two pages has the same values. */
export function hasSameValues(one: Fingerprint, other: Fingerprint): boolean {
	return one.read.every(({ values }, index) => values === other.read[index]?.values);
}

/** Whether whatever was there to be read before is there, and not only what holds its place. */
export function isWhole(now: Fingerprint, before: Fingerprint): boolean {
	return before.read.every((earlier, index) => {
		const read = now.read[index];
		if (!earlier.saysSomething) return true;
		return read?.saysSomething === true && (!holdsPlaces(read) || holdsPlaces(earlier));
	});
}

function holdsPlaces({ gaps, each }: ReadContent): boolean {
	return gaps.length > 0 && gaps.every((count) => count === each.length);
}

/** Whether a column says nothing yet in any of the rows, or what it said on one of the pages before. */
export function lacksAColumn(now: Fingerprint, before: (Fingerprint | undefined)[]): boolean {
	return now.read.some(({ columns, gaps, each }, index) =>
		columns.some(
			(said, column) =>
				gaps[column] !== 0 ||
				each.length === 0 ||
				before.some((page) => page?.read[index]?.columns[column] === said),
		),
	);
}

/**
 * What a column of the page says what it said on the one before, although the page has more of what it is the first of, as
 * where messages are added to others: its reading and its place there.
 */
export function firstOfMore(now: Fingerprint, before: Fingerprint): [number, number] | undefined {
	for (const [index, { columns, counts }] of now.read.entries()) {
		const earlier = before.read[index];
		const column = counts.findIndex((count, place) => {
			const was = earlier?.counts[place] ?? 0;
			return was > 0 && count > was && columns[place] === earlier?.columns[place];
		});
		if (column >= 0) return [index, column];
	}
	return undefined;
}

/** Whether all rows that were read come again, beside others. */
export function addsRows(now: ReadContent | undefined, before: ReadContent | undefined): boolean {
	const [rows, earlier] = [new Set(now?.each), new Set(before?.each)];
	return earlier.size > 0 && rows.size > earlier.size && [...earlier].every((row) => rows.has(row));
}

/** The same of any of the readings; or whether only some of the rows do. */
export function bringsMore(earlier: Fingerprint, now: Fingerprint): boolean {
	return now.read.some(
		(read, index) => addsRows(read, earlier.read[index]) || addsRows(earlier.read[index], read),
	);
}

/** Whether no rows are left, where those of the round before were some of what was there at first. */
export function leavesNone({
	first,
	earlier,
	after,
}: Record<'earlier' | 'after', Fingerprint> & { first: Fingerprint | undefined }): boolean {
	return after.read.some(({ each }, index) => {
		const before = earlier.read[index]?.each ?? [];
		const all = new Set(first?.read[index]?.each);
		return each.length === 0 && before.length > 0 && before.every((row) => all.has(row));
	});
}

/** Whether both have the same rows, of which none differs from the others. */
export function hasSameRows({ rows, each }: Fingerprint, other: Fingerprint): boolean {
	return rows?.areVaried === false && each.join() === other.each.join();
}

/** Whether a page says all that it did, at the same address. */
export function isUnchanged(after: Fingerprint, before: Fingerprint): boolean {
	return after.address === before.address && after.content === before.content;
}
