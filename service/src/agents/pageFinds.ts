import { isDeepStrictEqual } from 'node:util';
import type { Entered, Page, Row } from '../pages/page.ts';
import { isElementField } from '../tasks/field.ts';
import type { StepSelector } from '../store/selectorStore.ts';
import type { ExtractDataStep } from '../tasks/task.ts';
import { holdPlace } from '../text/holdPlace.ts';
import { withoutFragment } from '../text/withoutFragment.ts';
import type { Assignment, Find } from './assignment.ts';
import { timesOfEach } from './copies.ts';
import { entryAt, pageAt, type Place } from './place.ts';

/**
 * What the selectors of a step have found in these rows: first that of the rows, then those of the fields. Without
 * scripts, what holds the place of what they bring is nothing.
 */
export function findsOf(
	{ id: step, config }: ExtractDataStep,
	rows: Row[],
	isScripted: boolean,
): Find[] {
	const ofRows = { selector: { step, selector: config.selector ?? '' }, found: rows.length > 0 };
	if (!ofRows.found) return [ofRows];
	const fields = config.fields
		.filter(isElementField)
		// Whoever has said what stands there without a value expects that.
		.filter((field) => field.default === undefined)
		.map(({ id, name, selector = '' }) => {
			const said = rows.map((row) => row[id] ?? '');
			const found = said.some((text) => text !== '') && (isScripted || !holdPlace(said));
			return { selector: { step, selector, field: { id, name } }, found };
		});
	return [ofRows, ...fields];
}

/** Whether that is anything. Without a selector the page itself is the row: there is one, whatever the page is. */
function saysAnything([ofRows, ...fields]: Find[]): boolean {
	if (!ofRows?.found) return false;
	const isRowThere = ofRows.selector.selector !== '' || fields.length === 0;
	return isRowThere || fields.some((field) => field.found);
}

const asksPassword =
	'this page asks for a password, as those before it did not: it may be a sign-in page in the place of the one that was asked for';

const asksForMore =
	'it was still asking for more, as a search goes on, when its time for that (10 seconds) was over, and what had come by then was read: where rows lack, let a step wait for what is there only at the end';

/** What a step has found on a page so far. */
interface PageOfStep {
	where: string;
	address: string;
	finds: Map<string, Find>;
	/** Whether each element of the page, of which the step reads a part in its round, gave anything. */
	entries: Map<string, boolean>;
	/** Whether it was told that it lacks something. */
	isTold: boolean;
}

/**
 * Puts together what the steps of an agent find on each page: rows come in parts, rounds over the elements
 * of a page read a part of it each, and a page that is tried again is the same one.
 */
export class PageFinds {
	readonly #page: Page;
	readonly #job: Assignment;
	/** The address that was asked for last, where it has led to, and what that lacked, which was told. */
	#asked: { address: string; landed: string; lack?: string | undefined } = {
		address: '',
		landed: '',
	};
	/** Steps of which was told that their list holds a part, or that it is there more than once. */
	readonly #parts = new Set<string>();
	readonly #copies = new Set<string>();
	/** Of the page that was told last to lack something. */
	#said: { url: string; reason: string } | undefined;
	/** By step. */
	readonly #pages = new Map<string, PageOfStep>();

	constructor(page: Page, job: Assignment) {
		this.#page = page;
		this.#job = job;
	}

	/** The page of an address that was asked for has come. */
	came(address: string): void {
		this.#asked = { address, landed: this.#page.address(), lack: this.#page.lack() };
	}

	/** A step has read something of the open page at a place. `isWhole`: each column says something; `givesRows`: not columns of other rows. */
	async note(
		finds: Find[],
		place: Place,
		{ isWhole = true, givesRows = true } = {},
	): Promise<void> {
		await this.#job.noteFinds(finds);
		const here = this.#page.address();
		const where = pageAt(place, here);
		const step = finds[0]?.selector.step ?? '';
		let page = this.#pages.get(step);
		if (page?.where !== where) {
			this.#end(page);
			// People look for a page by the address that was asked for, not by the one that it led to.
			const address = here === this.#asked.landed ? this.#asked.address : here;
			page = { where, address, finds: new Map(), entries: new Map(), isTold: false };
			this.#pages.set(step, page);
			await this.#tellPassword(page, step);
			this.#tellLack(page, await this.#job.documentEnds.cutShort(this.#page, step));
		}
		// More may have been asked for since, as for what has come into sight.
		const lack = this.#page.lack();
		const isKnown = here === this.#asked.landed && lack === this.#asked.lack;
		if (!isKnown && !page.isTold) this.#tellLack(page, lack);
		if (this.#page.goesOn?.() && !page.isTold) this.#tellLack(page, asksForMore);
		if (!isWhole && !page.isTold) this.#tellLack(page, await this.#page.saidError?.());
		if (!place.scrolling) this.#tellPart(step, finds[0]?.selector.selector ?? '');
		const entry = givesRows ? entryAt(place, here) : undefined;
		if (entry !== undefined)
			page.entries.set(entry, page.entries.get(entry) === true || saysAnything(finds));
		for (const { selector, found } of finds) {
			const key = selector.field?.id ?? '';
			const before = page.finds.get(key);
			page.finds.set(key, { selector, found: found || before?.found === true });
		}
	}

	#tellLack(page: PageOfStep, reason: string | undefined): void {
		if (reason === undefined) return;
		page.isTold = true;
		const said = { url: page.address, reason };
		// More than one step may read it.
		if (isDeepStrictEqual(said, this.#said)) return;
		this.#said = said;
		this.#job.log.warn(said, 'page not whole');
	}

	/** Of a page that a step reads as others that asked for none, as where a session ends in the middle of a list. */
	async #tellPassword(page: PageOfStep, step: string): Promise<void> {
		const { stepsWithoutPassword } = this.#job;
		if (!(await this.#page.asksPassword?.())) await stepsWithoutPassword.add(step);
		else if (await stepsWithoutPassword.has(step)) this.#tellLack(page, asksPassword);
	}

	/** Of a list that makes its rows as it is scrolled, once. */
	#tellPart(step: string, rows: string): void {
		const toCome = this.#page.toCome?.();
		if (!toCome || this.#parts.has(step)) return;
		this.#parts.add(step);
		const { count, scroller } = toCome;
		const by = scroller === undefined ? 'without a selector' : `with the selector ${scroller}`;
		const reason = `${rows} has only the rows that are in sight; there is room for about ${count} more, which come as they are scrolled to: put this step into a loop by scroll, ${by}`;
		this.#job.log.warn({ url: this.#page.address(), reason }, 'list holds a part');
	}

	/** A loop has found these elements of the open page at a place. */
	async noteElements(selector: StepSelector, elements: Entered[], place: Place): Promise<void> {
		await this.note([{ selector, found: elements.length > 0 }], place);
		const addresses = elements.flatMap(({ mark, link = mark?.address }) =>
			link === undefined ? [] : withoutFragment(link),
		);
		if (addresses.length === elements.length) this.noteList(selector, addresses);
	}

	/** Tells, once for a step, of the entries of a list, which say this each, when all of them are there more than once. */
	noteList({ step, selector }: StepSelector, texts: string[]): void {
		if (this.#copies.has(step)) return;
		const times = timesOfEach(texts);
		if (times === undefined) return;
		this.#copies.add(step);
		const reason = `each entry of ${selector} is there ${times} times: the page may have its list once for small screens and once for large ones, or more than one link to each entry; narrow the selector to one of them`;
		this.#job.log.warn({ url: this.#page.address(), reason }, 'list is there more than once');
	}

	/** What comes next is of other pages. */
	end(): void {
		for (const page of this.#pages.values()) this.#end(page);
		this.#pages.clear();
	}

	#end(page: PageOfStep | undefined): void {
		const [ofRows, ...fields] = page?.finds.values() ?? [];
		if (!page || !ofRows) return;
		const found = saysAnything([ofRows, ...fields]);
		// An element without a row is missed as a page without one is.
		const rounds = page.entries.size > 0 ? page.entries.values() : [found];
		for (const each of rounds) this.#job.notePage([{ ...ofRows, found: each }], page.address);
		// Where nothing was found at all, that is all there is to say.
		if (found) this.#job.notePage(fields, page.address);
	}
}
