import { PageError, type Bookmark, type Page, type Reading } from '../pages/page.ts';
import { isRead, saysTheSame, SeenPages, type Fingerprint } from '../pages/seenPages.ts';
import { NextLink } from './nextLink.ts';

/** What leads a loop from page to page. */
interface Way {
	/** Of "next". */
	selector: string;
	/** What the loop reads of each page. */
	readings: Reading[];
	/** Whether rows say the address of their page, so that no two pages have the same. */
	areRowsOwn: boolean;
	/** Clicks "next". */
	turn: () => Promise<unknown>;
}

/** Why a loop by page ends, and whether that is as it should be. */
interface End {
	url: string;
	reason: string;
	isExpected: boolean;
}

/**
 * Where a loop by page is, and how to get there again. Pages that a script or a sent form has made have
 * the address of another one: on that one, "next" is clicked as often as it was.
 */
export class PageTrail {
	readonly #page: Page;
	readonly #way: Way;
	/** The loop on whose page this one is still. */
	#around: PageTrail | undefined;
	readonly #seen = new SeenPages();
	readonly #next: NextLink;
	readonly #restoration = {
		isThere: () => this.#isThere(),
		restore: () => this.#restore(),
	};
	/** The page of the round, as it was when it came; absent where none was open yet. */
	#here: { said: Fingerprint; bookmark: Bookmark } | undefined;
	/** Whether "next" could be seen on a page of the loop. */
	#wasSeen = false;
	/** Clicks since the last page that has an address of its own. */
	#turns = 0;

	/** `around`: the loop by page that this one is in. */
	constructor(page: Page, way: Way, around: PageTrail | undefined) {
		this.#page = page;
		this.#way = way;
		this.#next = new NextLink(page, way.selector);
		this.#around = around?.isHere ? around : undefined;
	}

	/** Takes note of the first page. */
	async begin(): Promise<void> {
		this.#note(await this.#look());
	}

	/** Whether the page of the round is the one that came last. */
	get isHere(): boolean {
		return this.#here?.bookmark.isLast() ?? false;
	}

	/** Goes on to the next page; where there is none, says why. */
	async goOn(): Promise<End | undefined> {
		const { selector, turn } = this.#way;
		const presence = await this.#page.presence(selector);
		// Scripts may still have been making the page until the round had read it.
		const before = await this.#look();
		this.#seen.add(before);
		const none = presence === 'missing' ? `no ${selector}` : `${selector} is ${presence}`;
		// One that was never seen may be there for a script to show; where a click has to see it, that says so.
		const isThere = presence === 'active' || (presence === 'hidden' && !this.#wasSeen);
		this.#wasSeen ||= presence === 'active';
		const { address: here } = before;
		if (!isThere) return { url: here, reason: none, isExpected: true };
		const other = await this.#next.lookForOther((address) => this.#seen.has(address));
		if (other) return { url: here, reason: other.reason, isExpected: !other.leavesPages };
		await turn();
		const after = await this.#look(before);
		const { address: url, content } = after;
		if (!this.#seen.add(after)) {
			if (url === before.address && content === before.content) {
				const reason = `a click on ${selector} changed nothing that is read`;
				return { url, reason, isExpected: false };
			}
			// The last page may lead to itself. One that leads back is not where the list ends.
			const isItself =
				content === before.content ||
				(after.byAddress && url === before.address) ||
				(after.rows !== undefined && after.rows === before.rows);
			const where = isItself ? '' : `: ${selector} leads back to it`;
			return { url, reason: `page was seen before${where}`, isExpected: isItself };
		}
		this.#next.followed();
		this.#turns = after.byAddress ? 0 : this.#turns + 1;
		if (after.byAddress) this.#around = undefined;
		this.#note(after);
		return undefined;
	}

	/** Goes back to the page of the round, as it was when that bookmark was made there. */
	async back(bookmark: Bookmark): Promise<void> {
		// What leads on stands in the page, whatever of that had been entered by then.
		if (!bookmark.isOpen()) await this.#here?.bookmark.goBack(this.#restoration);
		await bookmark.goBack();
	}

	async #isThere(): Promise<boolean> {
		return this.#here !== undefined && saysTheSame(this.#here.said, await this.#look());
	}

	async #look(before?: Fingerprint): Promise<Fingerprint> {
		const { readings, areRowsOwn } = this.#way;
		const look = await this.#page.fingerprint(readings, before);
		return areRowsOwn ? { ...look, rows: undefined } : look;
	}

	async #restore(): Promise<void> {
		if (!this.#here) return;
		if (this.#around) await this.#around.#restore();
		const { selector, readings, turn } = this.#way;
		const { said } = this.#here;
		const [first] = readings;
		if (first?.selector !== undefined) await this.#page.has(first.selector);
		let now = await this.#look();
		// A site may remember by itself where its visitor was.
		if (saysTheSame(said, now)) return;
		for (let turns = 0; turns < this.#turns; turns += 1) {
			if ((await this.#page.presence(selector)) !== 'active') throw this.#notThere();
			await turn();
			now = await this.#look(now);
		}
		if (isRead(said.read) && !isRead(now.read)) throw this.#notThere();
	}

	#note(said: Fingerprint): void {
		this.#here = { said, bookmark: this.#page.bookmark() };
	}

	#notThere(): PageError {
		const url = this.#page.address();
		return new PageError(
			`Going back to ${url}, its address brought another page: what was done to get there is not done again, but for clicks on ${this.#way.selector}.`,
			{ url },
		);
	}
}
