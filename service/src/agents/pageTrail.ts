import {
	PageError,
	type Bookmark,
	type LookAtPage,
	type Page,
	type Presence,
} from '../pages/page.ts';
import {
	hasSameRows,
	hasSameValues,
	isUnchanged,
	isWhole,
	saysTheSame,
	SeenPages,
	type Fingerprint,
} from '../pages/seenPages.ts';
import { hasOtherEntries, isBack, keepsMost } from './changedLists.ts';
import { hiddenBeside, lackOf, leftOut, openedAnew, readsAsBefore } from './doubts.ts';
import { LostTurns } from './lostTurns.ts';
import { NextLink } from './nextLink.ts';
import { presenceOfNext, type Way } from './pageWay.ts';
import { WholeTurns } from './wholePages.ts';

/** Why a loop by page ends, and whether that is as it should be. */
export interface End {
	url: string;
	reason: string;
	isExpected: boolean;
	/** Whether "next" has led to no other page: one that may be one before it, shown again, is that. */
	leadsBack?: boolean;
	/** Whether "next" was on no page of the loop so far: there may be no other page, or it is called otherwise. */
	isNeverFound?: boolean;
}

/** Pages in a row that read as others before them: sites show the last one again and again, or begin anew. */
const maxAlike = 3;

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
	readonly #whole: WholeTurns;
	readonly #restoration = {
		isThere: async () => !!this.#here && saysTheSame(this.#here.said, await this.#look()),
		isBack: async () => !!this.#here && isBack(await this.#look(), this.#here.said),
		restore: () => this.#restore(),
	};
	/** The page of the round, as it was when it came; absent where none was open yet. */
	#here: { said: Fingerprint; bookmark: Bookmark; documentID: unknown } | undefined;
	/** Clicks since the last page that has an address of its own. */
	#turns = 0;
	readonly #lost: LostTurns;
	/** Pages that came last and read as others before them: whether they are others, what follows shows. */
	#alike = 0;
	/** Whether the page that came last has the few rows of the one before, though it says something else. */
	#repeatsRows = false;
	#hasGrown = false;
	/** Whether "next" has led to another page. */
	#hasTurned = false;
	#doubt: string | undefined;
	/** Whether scripts lead on, which may show one part of a list after the other that stands in the page whole. */
	#isPart = false;
	/** Whether steps before the loop have made its page, so that the address may bring another one. */
	#isMade = false;
	/** What says so where that was opened all the same. */
	#replaced: string | undefined;
	/** Whether "next" has led back from the page of the round, and is followed once more. */
	#wasLedBack = false;
	/** Whether data of the page of the round says that it failed. */
	#hasFailures = false;

	/** `around`: the loop by page that this one is in. */
	constructor(page: Page, way: Way, around: PageTrail | undefined) {
		this.#page = page;
		this.#way = way;
		this.#next = new NextLink(page, way.selector, way.says);
		[this.#whole, this.#lost] = [new WholeTurns(page), new LostTurns(page)];
		this.#around = around?.isHere ? around : undefined;
	}

	/** Takes note of the first page. */
	async begin(): Promise<void> {
		this.#isPart = !this.#way.isOfList && (await this.#next.isScripted());
		const said = await this.#look();
		this.#isMade = !said.byAddress || !this.#page.bookmark().isAsOpened;
		this.#hasFailures = (await this.#page.saidError?.()) !== undefined;
		await this.#whole.begin();
		this.#note(said);
	}

	/** Whether the page of the round is open, if under another address: its scripts go on from what they count by themselves. */
	get #isStillOpen(): boolean {
		if (!this.#here) return false;
		const { bookmark, documentID } = this.#here;
		return (
			bookmark.isOpen() || (documentID !== undefined && documentID === this.#page.documentID?.())
		);
	}

	/** Whether the page of the round is the one that came last. */
	get isHere(): boolean {
		return this.#here?.bookmark.isLast() ?? false;
	}

	/** Whether the page of the round may be one that was read before, shown again. */
	get isDoubtful(): boolean {
		return this.#alike > 0;
	}

	/** Whether "next" has left rows of the round before where they were: each round reads those once more. */
	get hasGrown(): boolean {
		return this.#hasGrown;
	}

	/** Why a page may be missing before the one that has come, or another one be in its place. */
	get doubt(): string | undefined {
		return this.#doubt;
	}

	/** Why a page may be missing that has come so far, behind the reason for an end; undefined: none is known to be. */
	get mayLack(): string | undefined {
		if (this.#lost.owed === 0) return undefined;
		return ', and a click before had changed nothing that is read: a page may be missing that reads as the one before it';
	}

	/** Goes on to the next page; where there is none, says why. Throws as a click does: then it is to be tried again. */
	async goOn(how: { mayAskAgain: boolean }): Promise<End | undefined> {
		const { selector, readings } = this.#way;
		[this.#doubt, this.#replaced] = [this.#replaced, undefined];
		const presence = await presenceOfNext(this.#page, this.#way, { isFirst: !this.#hasTurned });
		// Scripts may still have been making the page until the round had read it.
		// Pages may take turns in two places. Rows that wait there for "next" to show them have been read.
		const isBeforeStep = readings.every((each) => each.selector === undefined);
		const before = await this.#look({ isBeforeStep });
		const { address: url } = before;
		const isNew = this.#seen.add(before);
		if (this.#lost.owed > 0 && isNew && this.#isOther(before)) {
			this.#lost.owed -= 1;
			return this.#arrive(before);
		}
		const { wasSeen, mayBeHidden } = this.#way.next;
		const isThere = presence === 'active' || (presence === 'hidden' && mayBeHidden && !wasSeen);
		if (!isThere) {
			this.#lost.throwAnew();
			return this.#endOfWhole(url, presence);
		}
		// Where a click has failed, it may say that, too.
		const isSeen = (address: string) => this.#seen.has(address);
		const other =
			this.#lost.failure === undefined ? await this.#next.lookForOther(isSeen) : undefined;
		if (other) return { url, reason: other.reason, isExpected: !other.leavesPages };
		const after = await this.#turn(before);
		if ('reason' in after) return after;
		if (after.partsHaveGone && !after.byAddress) {
			this.#isPart = false;
			this.#doubt ??= hiddenBeside(before.address);
		}
		await this.#whole.check({ ...how, byAddress: after.byAddress });
		const mayGoBack = !after.comesAgain && !this.#isMade && !this.#way.isOfList;
		if (how.mayAskAgain && mayGoBack) this.#lost.checkPassedOver();
		const isSeenNow = this.#seen.seenBy(after) !== undefined;
		const isLedBack = isSeenNow && this.#next.hasLedBack(after, before);
		const isOpenedAnew = !this.#hasTurned && this.#next.hasOpenedAnew(after, before);
		if ((isLedBack || isOpenedAnew) && !this.#wasLedBack) {
			this.#wasLedBack = true;
			const { address: url } = after;
			throw new PageError(`${selector} led back to ${url}.`, { url, outage: { of: 'answer' } });
		}
		const end = this.#turned(after, before, isLedBack);
		if (!end) {
			const { reason, isSaid } = await lackOf(this.#page, [before, after], this.#hasFailures);
			[this.#doubt, this.#hasFailures] = [this.#doubt ?? reason, isSaid];
		}
		return end;
	}

	/**
	 * Whether the page of the round, from which nothing has led on since, has become another one by itself. Only what
	 * steps of a round do can change it, and leave it the same one.
	 */
	#isOther(now: Fingerprint): boolean {
		if (!this.#here) return false;
		const { said } = this.#here;
		// Beside what was refused, as the rows of a page, its number may say already which one it was to be.
		const isSame = saysTheSame(now, said) || (this.#lost.isRefused && hasSameValues(now, said));
		if (isSame || !isWhole(now, said)) return false;
		return !this.#way.changesPages || hasOtherEntries(now, said);
	}

	/**
	 * Clicks, and once more where that has changed nothing: it may have been too early, or what it asked for was
	 * empty for once.
	 */
	async #turn(before: Fingerprint): Promise<Fingerprint | End> {
		const { selector, turn } = this.#way;
		let owed = 0;
		for (let clicks = 1; ; clicks += 1) {
			try {
				await turn();
			} catch (error) {
				if (error instanceof PageError && error.outage) this.#lost.noteAnswer(error);
				// What an earlier click has asked for may have come just then, and have taken "next" away. Where the page
				// is gone, another was refused: to ask it anything would bring its address, and not what was clicked there.
				if (!(error instanceof PageError && this.#here?.bookmark.isOpen())) throw error;
				if ((await this.#page.presence(selector)) === 'active') throw error;
				const late = await this.#look();
				if (isUnchanged(late, before)) throw error;
				return late;
			}
			const after = await this.#lookAfterClick(before);
			const isUnheard = isUnchanged(after, before);
			// A click beside entries that the round has opened may do no more than close them.
			const isTakenBack = this.#here !== undefined && isUnchanged(after, this.#here.said);
			if (after.byAddress || !(isUnheard || isTakenBack)) {
				this.#lost.owed += owed;
				return after;
			}
			if (isUnheard) owed += 1;
			const presence = await this.#page.presence(selector);
			const { address: url } = after;
			if (presence !== 'active') {
				if (!this.#way.isOfList) this.#lost.owed += owed;
				return this.#endOfWhole(url, presence);
			}
			if (clicks === 2) {
				const isInVain = true;
				if ((await this.#page.presence(selector, { isInVain })) === 'disabled')
					return this.#endOfWhole(url, 'disabled');
				const reason = `two clicks on ${selector} changed nothing that is read${leftOut(this.#alike, this.#repeatsRows)}`;
				return { url, reason, isExpected: false, leadsBack: true };
			}
		}
	}

	/** The same where scripts of the page may have drawn nothing that leads on for want of data, such as how many pages there are. */
	async #endOfWhole(url: string, presence: Presence): Promise<End> {
		const end = this.#end(url, presence);
		const missing = this.#way.changesPages
			? undefined
			: await this.#page.missing({ isInVain: true });
		// What a button has asked for, and is not there, may be the end of its list, or a mistake.
		const isGone = this.#way.isOfList && missing?.isGone;
		if (!missing?.isRefused && !missing?.isSaid && !missing?.isBarred && !isGone) return end;
		return { ...end, reason: `${end.reason}. ${missing.reason}`, isExpected: false };
	}

	/** There is nothing left to click; where a click has brought nothing before, its page may have read the same. */
	#end(url: string, presence: Presence): End {
		const { selector } = this.#way;
		this.#doubtAlike();
		if (presence === 'scripted') {
			const reason = `${selector} leads to no other page: where it does more, it does that by scripts, which "page": "browser" runs`;
			return { url, reason, isExpected: this.#hasTurned };
		}
		const none = presence === 'missing' ? `no ${selector}` : `${selector} is ${presence}`;
		const { mayLack } = this;
		const isNeverFound = presence !== 'disabled' && !this.#way.next.wasSeen && !this.#hasTurned;
		const reason = `${none}${mayLack ?? ''}`;
		return { url, reason, isExpected: mayLack === undefined, isNeverFound };
	}

	async #lookAfterClick(before: Fingerprint): Promise<Fingerprint> {
		this.#lost.begin();
		try {
			return await this.#look({ before });
		} catch (error) {
			// With its page, what the click has done is gone.
			await this.#lost.note(error, () => this.#isStillOpen);
			throw error;
		}
	}

	#turned(after: Fingerprint, before: Fingerprint, isLedBack: boolean): End | undefined {
		const { address: url, content, byAddress, comesAgain, rows } = after;
		this.#doubt = this.#lost.doubt({ byAddress: comesAgain }) ?? this.#doubt;
		const seenBy = this.#seen.seenBy(after);
		this.#hasGrown = !this.#way.isOfList && keepsMost(after.each, before.each);
		this.#seen.add(after);
		if (seenBy === undefined || (seenBy === 'rows' && this.#alike < maxAlike)) {
			return this.#arrive(after, seenBy);
		}
		// The last page may lead to itself. One that leads back is not where the list ends.
		const isItself =
			content === before.content ||
			(byAddress && url === before.address) ||
			((comesAgain || url === before.address) &&
				rows !== undefined &&
				rows.hash === before.rows?.hash);
		const where = isItself ? '' : `: ${this.#way.selector} leads back to it`;
		// Where rows say which page they are of, one that a script has given another address may be another.
		const isOtherAddress = this.#way.areRowsOwn && !comesAgain && url !== before.address;
		const isWhole = this.#alike === 0 && !this.#repeatsRows;
		const isExpected = isItself && !isLedBack && !isOtherAddress && isWhole;
		const reason = `page was seen before${where}${leftOut(this.#alike, this.#repeatsRows)}`;
		return { url, reason, isExpected, leadsBack: true };
	}

	/** Another page has come. */
	#arrive(said: Fingerprint, seenBy?: 'rows'): undefined {
		this.#hasTurned = true;
		this.#lost.arrive();
		this.#wasLedBack = false;
		this.#repeatsRows = this.#here !== undefined && hasSameRows(said, this.#here.said);
		if (seenBy === 'rows') this.#alike += 1;
		// One without rows that tell it from others shows nothing of those before it.
		else if (said.rows?.areVaried) {
			this.#doubtAlike();
			this.#alike = 0;
		}
		this.#next.followed();
		this.#turns = said.byAddress ? 0 : this.#turns + 1;
		if (said.byAddress) [this.#around, this.#isMade] = [undefined, false];
		this.#note(said);
	}

	/** The page of the round is kept, though it reads as one before. */
	#doubtAlike(): void {
		if (this.#alike > 0 && this.#here) this.#doubt ??= readsAsBefore(this.#here.said.address);
	}

	/** Goes back to the page of the round, as it was when that bookmark was made there. */
	async back(bookmark: Bookmark): Promise<void> {
		// What leads on stands in the page, whatever of that had been entered by then.
		if (!bookmark.isOpen()) await this.#here?.bookmark.goBack(this.#restoration);
		await bookmark.goBack();
	}

	async #look(how?: LookAtPage): Promise<Fingerprint> {
		const { readings, areRowsOwn } = this.#way;
		const look = await this.#page.fingerprint(readings, {
			...how,
			parts: this.#isPart ? 'there' : undefined,
		});
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
		if (this.#isMade) this.#replaced = openedAnew(now.address);
		// A site may remember by itself where its visitor was.
		if (saysTheSame(said, now)) return;
		for (let turns = 0; turns < this.#turns; turns += 1) {
			if ((await this.#page.presence(selector)) !== 'active') throw this.#notThere();
			await turn();
			now = await this.#look({ before: now });
		}
		if (!isBack(now, said)) throw this.#notThere();
	}

	#note(said: Fingerprint): void {
		const documentID = this.#page.documentID?.();
		this.#here = { said, bookmark: this.#page.bookmark(), documentID };
	}

	#notThere(): PageError {
		const url = this.#page.address();
		return new PageError(
			`Going back to ${url}, its address brought another page: what was done to get there is not done again, but for clicks on ${this.#way.selector}.`,
			{ url },
		);
	}
}
