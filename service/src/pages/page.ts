import { maxRow } from '../text/rowLimits.ts';
import type { DocumentEnd } from './documentEnd.ts';
import type { Fingerprint } from './seenPages.ts';

/** The values of one row by field id. */
export type Row = Record<string, string>;

/** Pixels from the left and from the top of what scrolls, however that was scrolled. */
export type Offset = [number, number];

/** Where the element of a row is. */
export interface RowPlace {
	at: Offset;
	/** Pixels from the left and from the top of what is seen of the page. */
	seenAt: Offset;
	/** By which it is known on its page. */
	element: number;
	/** It is still to come into sight, of what is scrolled around it. */
	isAhead: boolean;
}

/** What the elements of each field say, by field id: a text each. */
export type ReadRow = Record<string, string[]>;

/** A value to read for each row. */
export interface PageField {
	id: string;
	/** Absent: the row's element itself. */
	selector?: string | undefined;
	/** Absent: the element's text. */
	attribute?: string | undefined;
	/** The address of the picture that the element is, wherever it keeps it, instead. */
	picture?: boolean | undefined;
	/** The HTML inside of the element instead. */
	html?: boolean | undefined;
	/** Of all elements that the selector finds, a text each. */
	all?: boolean | undefined;
	/** Default true: fold white space as a browser shows it. */
	trim?: boolean | undefined;
	/** Keeps of the text only what this matches. */
	match?: string | undefined;
}

/** Rows to read, as `Page.read` takes them. */
export interface Reading {
	selector: string | undefined;
	fields: PageField[];
	/** Its values stand in rows that are read elsewhere on the page: it may change before those do. */
	isBeside?: boolean;
	/**
	 * It is read once an element was clicked, and stays: it may say which page this is, but comes and goes on one page as
	 * well. Not known of http pages.
	 */
	isBehind?: boolean;
}

/** What is looked for inside of the element that was entered; undefined: that itself. */
export type Selectors = (string | undefined)[];

export function selectorsOf({ selector, fields }: Reading): Selectors {
	return selector === undefined ? fields.map((field) => field.selector) : [selector];
}

/** A page at one moment. */
export interface Snapshot {
	body: Uint8Array;
	/** Where it was found, after redirects. */
	url: string;
	/** The Content-Type header; empty if there is none. */
	contentType: string;
	/** That of the document, where the body is in another one. */
	encoding?: string | undefined;
}

/** Values that are read, and stored, at once. */
export const valuesAtOnce = 20_000;

/** How many rows of so many columns are read, and stored, at once: 1,000 at most. */
export function rowsAtOnce(columns: number): number {
	return Math.max(1, Math.min(1_000, Math.floor(valuesAtOnce / columns)));
}

/** An element of a loop: which one of those that `selector` found in the element entered before. */
export interface Entered {
	selector: string;
	index: number;
	/** By what it is known where its page may come again with others in its place. */
	mark?: Mark | undefined;
	/** Where it leads to, without a mark. */
	link?: string | undefined;
	/** What it says, without a mark. */
	says?: Said | undefined;
}

/**
 * By what an element of an `http` page is known on another one, as its text, or that of its entry; the surest first. Which one
 * of so many it is that say the same.
 */
export type Said = { key: string; nth: number; times: number }[];

/**
 * What an element was when its loop began. By that it is found on a page that has come again, where others
 * may have taken its place: what stands where it stood may be another one. Plain data.
 */
export interface Mark {
	/** A hash of all that it is and says, its address among it; and which one of those that are equal. */
	content: string;
	nth: number;
	/** Where it leads to, and whether no other element of the loop leads there. */
	address?: string | undefined;
	isOnlyLink: boolean;
	/** A hash of its text, if no other element of the loop has that. */
	text?: string | undefined;
	/** The same for all that stands around it, up to where another one of the loop is. */
	around?: string | undefined;
	/** A hash of the first of these two that there is, or else of its attributes, whatever numbers stand in it, if no other element has that. */
	plain?: string | undefined;
	/** How what stands around it begins, of an element whose text others have as well. */
	says?: string | undefined;
	/** A hash of what it is, without what is in it. */
	attributes: string;
	/** How its text begins: also for people. */
	name: string;
}

/**
 * Of what is to be clicked: it is not there, nobody sees it, a click on it does nothing, only scripts could make it do
 * something, which do not run there, or it does something.
 */
export type Presence = 'missing' | 'hidden' | 'disabled' | 'scripted' | 'active';

/** How that is asked. */
export interface AskedPresence {
	/** Whether one that is hidden may be shown yet. */
	isToBeShown?: boolean;
	/** Whether clicks have done nothing: one that is disabled by its name alone is that then. */
	isInVain?: boolean;
	/** Whether scripts may make it once its place comes into sight. */
	mayBeFarDown?: boolean;
}

/** What a field holds, and what was typed into it, as they may be said in a message. */
export interface HeldText {
	held: string;
	typed: string;
}

/** What came of a text in a field. */
export interface TypedText {
	/** Whether the field held another one, or a box was switched. */
	isNew: boolean;
	/** What it holds if a script has made something else of it. */
	held?: HeldText | undefined;
}

/** What scripts of a page have asked for on a step, and what that has sent. */
export interface AskedOnStep {
	hasAsked: boolean;
	/** Whether they have asked the page's own site for data by `GET`, and got it. */
	hasGot: boolean;
	/** What they have sent to the page's own site, which may have counted it, or a form has: `POST https://…`. */
	sent: string | undefined;
	isFormSent: boolean;
	/**
	 * Of what was refused on the step before, where a number tells it from others: whether just that has come, or others
	 * have in its place.
	 */
	isMadeUp: boolean;
	isPassedOver: boolean;
}

/** Whether a click has switched something on or off (a box, what opens and closes); undefined: neither. */
export type Switched = boolean | undefined;

/** A page as it was at one moment. Pages are told apart by the answers that brought them, not by addresses. */
export interface Bookmark {
	/** Whether its page was as its address brings it: nothing had been clicked there that would not come again. */
	readonly isAsOpened: boolean;
	/** Whether its page is the one that came last; where a site has refused one since, that is none. */
	isLast(): boolean;
	/** Whether it is open. */
	readonly isOpen: () => boolean;
	/** Opens it again unless it is open, takes back what was typed and switched since, and enters what was entered. */
	goBack(restoration?: Restoration): Promise<void>;
	/**
	 * The page as it is now, which steps have led to from there, with what was entered in this one. `choicesAlone`: what was
	 * opened there or typed as text since goes, and what was ticked or chosen stays.
	 */
	readonly now: (how?: { choicesAlone?: boolean }) => Bookmark;
	/** Opens what clicks had opened by then, and the page has closed since. Absent where clicks open nothing. */
	readonly reopen?: () => Promise<void>;
	/** Has it come again, even if it is open. Absent where it always comes as it was. */
	readonly forget?: () => void;
}

/** What to do about pages that do not come by their address, because a script or a sent form has made them. */
export interface Restoration {
	/** Whether what is open now, in the place of one that a sent form has made, does as well. */
	isThere: () => Promise<boolean>;
	/** Whether what a script shows once its address was gone back to is that page: it may begin anew there. */
	isBack: () => Promise<boolean>;
	/** Does again what led there, once its address was opened again. */
	restore: () => Promise<void>;
}

/**
 * Resolves once the host of an address may be asked. Throws where that is not to be, or the reason of the signal of
 * whoever has asked for the page.
 */
export type MayAsk = (url: string) => Promise<void>;

/**
 * What an agent has before it: one page of a site at a time. Selectors count from the element that
 * was entered last (the item of a loop over elements), or from the whole page.
 * Every method throws a PageError when the page does not do what is asked. An http page waits for `mayAsk` before
 * each request, wherever redirects lead; a browser page where it is opened, at each host that redirects lead to.
 */
export interface Page {
	/** Whether who uses the page brings it again as clicks have made it: a way back alone does not. */
	isRestored?: boolean;
	/**
	 * Whether no site has left anything by which it would know its visitor again: no cookie, and nothing that the
	 * open page could store. Absent: nobody asks.
	 */
	isUnknown?(): Promise<boolean>;
	/**
	 * Opens an absolute http(s) URL. `mayStay`: where only its fragment is another one than that of the open page, that shows
	 * a place there, as a click on its link does; else it comes anew, since scripts may read the fragment as they begin.
	 */
	open(url: string, mayAsk?: MayAsk, how?: { mayStay?: boolean | undefined }): Promise<void>;
	/**
	 * Types a text into a field, in the place of what it holds; chooses an option; ticks a box. Fails where the
	 * field does not take it.
	 */
	inputText(selector: string, text: string): Promise<TypedText>;
	/** Goes on from a field to nothing else: scripts may have waited for that. */
	leaveField(selector: string): Promise<void>;
	/** Sends the form of a field, as Enter does in it. */
	submit(selector: string, mayAsk?: MayAsk): Promise<string | undefined>;
	/** Clicks an element (the entered one without a selector), then waits for `waitFor` to be there. */
	click(selector?: string, waitFor?: string, mayAsk?: MayAsk): Promise<Switched>;
	/**
	 * What scripts of the open page asked for on the last step, and what did not come; undefined: all has, or
	 * another page has come. `isInVain`: of what is read behind the step, something is as it was, or not there: what says
	 * itself that it failed, has not come, either.
	 */
	missing(how?: { isInVain: boolean }): Promise<Missing | undefined>;
	/** What the last step on the open page has asked for, or sent; undefined: none is open. */
	asked?(): AskedOnStep | undefined;
	/** Whether what was chosen by the last click has only come to what another one has chosen before. Absent: nothing does. */
	choicesAddUp?(): Promise<boolean>;
	/** The address that this click will ask for; undefined where only the click itself shows it. */
	leadsTo(selector?: string): Promise<string | undefined>;
	/** The address that was asked for last to bring another page; undefined: none was, or a form was sent. Absent: nobody asks. */
	askedAddress?(): string | undefined;
	/** Whether there is such an element, once there is one; false if none comes. */
	has(selector: string): Promise<boolean>;
	/**
	 * Whether there is such an element that a click can activate, once there is one; if none comes,
	 * what is wrong.
	 */
	presence(selector: string, how?: AskedPresence): Promise<Presence>;
	/** The elements that a loop goes over, once there is one; none if none comes. */
	elements(selector: string, how?: HowToRead): Promise<Entered[]>;
	/** Narrows what follows to one of these elements, until another page is opened. */
	enter(element: Entered): void;
	/** The address of the open page. */
	address(): string;
	/** What the open page lacks that was to come, for people; undefined: nothing that is known of. */
	lack(): string | undefined;
	/** Whether the open page still asks for more, as a search goes on, though its time for that is over. Absent: no scripts run. */
	goesOn?(): boolean;
	/** What data that the open page has asked for as it came says of having failed; undefined: nothing. Absent: no scripts run. */
	saidError?(): Promise<string | undefined>;
	/** Whether the open page asks its visitor for a password, as where a session has ended. Absent: nobody asks. */
	asksPassword?(): Promise<boolean>;
	/** How the document of the open page ends; undefined: nobody knows. Absent: nobody asks. */
	documentEnd?(): Promise<DocumentEnd | undefined>;
	/** The address that the entered element leads to. */
	enteredLink(): Promise<string>;
	/** The text of the entered element. */
	enteredText(): Promise<string>;
	/**
	 * A row for each of these elements; one for the entered element or page without a selector. They
	 * come in parts, the last of which has fewer rows than the others, so that others have a turn.
	 */
	read(
		selector: string | undefined,
		fields: PageField[],
		how?: HowToRead,
	): AsyncIterable<ReadRow[]>;
	/** Where the elements of the rows that were read last are; absent: they have no places. */
	places?(): RowPlace[];
	/** What tells the open document from others, also where that of the same address was opened again. */
	documentID?(): unknown;
	/** Of the list that was read last, or that a loop goes over: the rows that are not there yet. */
	toCome?(): RowsToCome | undefined;
	/**
	 * Puts what a loop by scroll goes through back to where the page has opened it. Absent: nothing scrolls.
	 */
	scrollBack?(selector?: string): Promise<void>;
	/**
	 * Scrolls on, by what is seen at once, until something new has come: in the window, or in the
	 * element that is named; or until the end. `rows`: the list that it is about.
	 */
	scroll(selector?: string, rows?: string): Promise<ScrolledOn>;
	/** Remembers the page as it is now; where none is open, because a site has refused it, the one before. */
	bookmark(): Bookmark;
	/** The page as it is now, as HTML. */
	snapshot(): Promise<Snapshot>;
	/**
	 * What tells this page from others. Given the one before a click, waits until that has changed what is
	 * read of the page (without `readings`: anything), and what was there to be read is there again.
	 */
	fingerprint(readings: Reading[], look?: LookAtPage): Promise<Fingerprint>;
	close(): Promise<void>;
}

/** How rows, or the elements of a loop, are looked for. */
export interface HowToRead {
	/** What may come once it comes into sight is scrolled to first. Not where a loop by scroll does that. */
	mayScroll?: boolean;
	/** Whether the elements are used on pages that they lead to, too. */
	areFollowed?: boolean;
}

/** Rows that a list makes only once it is scrolled to them. */
export interface RowsToCome {
	/** How many have room. */
	count: number;
	/** A selector of what is to be scrolled; absent: the window. */
	scroller?: string | undefined;
}

/** What scrolling has brought. */
export interface ScrolledOn {
	hasMore: boolean;
	/** Whether the list stands farther on than it was scrolled, with other rows in the place of those before. */
	hasSkipped?: boolean | undefined;
	/** Data that may have been more, and did not come: a sentence for people. */
	lack?: string | undefined;
	/** The same of rows that only a click brings. */
	leftToClicks?: string | undefined;
	/** Whether what is scrolled has got longer: its end may never come. */
	isLonger?: boolean;
}

/** How a page is looked at that scripts may change. */
export interface LookAtPage {
	/** How it was before a click. */
	before?: Fingerprint | undefined;
	/** How it was when the same step was done last: that may be shown once more until what it says now has come. */
	earlier?: Fingerprint | undefined;
	/** Milliseconds for another one where there need be none; then, data that has not come is no failure. */
	patience?: number;
	/** A step of the task follows: of the elements that are to be read, those that it hides are not there any more. */
	isBeforeStep?: boolean;
	/**
	 * Of the steps of a loop, each of which shows a part of the list: whether it stands in the page whole, so that what is
	 * hidden beside others is of another part, or they have each part `come`.
	 */
	parts?: 'there' | 'come' | undefined;
}

/** Data that a page has asked for, and that did not come. */
export interface Missing {
	/** A sentence for people. */
	reason: string;
	/** Whether it is data that was refused for now; and whether another site than the page's own has done so. */
	isRefused: boolean;
	isElsewhere: boolean;
	/** Whether that has refused it to who asks, as to one whose session has ended; or has none at the address of the open page. */
	isBarred: boolean;
	/** Whether that has it no more (404). */
	isGone: boolean;
	/** Whether it has come, and says that it failed. */
	isSaid: boolean;
	/** Whether the page has opened itself anew since, as for want of it. */
	isOpenedAnew: boolean;
	/**
	 * The failure to throw. `mayTryAgain`: the open page is given up for it, so that ways back open it again; else
	 * another try would fail as well.
	 */
	failure(mayTryAgain: boolean): PageError;
	/** Says that the next step is this one once more: what it lacks is lacking until just that has come. Absent: it cannot be. */
	again?: (() => void) | undefined;
}

/** A page failed: an HTTP error, a time-out, a missing element. */
export class PageError extends Error {
	/** The address that failed, where that is known. */
	readonly url: string | undefined;
	/** Absent: the page would fail in the same way again. */
	readonly outage: Outage | undefined;

	constructor(message: string, { url, outage }: { url?: string; outage?: Outage } = {}) {
		super(message);
		this.url = url;
		this.outage = outage;
	}
}

/** What may be over soon, so that a page is worth another try. Plain data. */
export interface Outage {
	/**
	 * Who failed: a site that refuses for now, one that says nothing at all, the own browser on a page, or this machine,
	 * which has no browser that starts, no thread, file or memory.
	 */
	of: 'answer' | 'network' | 'browser' | 'machine';
	/** Milliseconds that the site asks to wait (`Retry-After`). */
	retryAfter?: number;
	/** To see this took as long as a request may take. */
	isSlow?: boolean;
	/** It is that of all pages in the browser, any of which may be to blame. */
	isShared?: boolean;
}

/** Whether it says nothing of a site. */
export function isHere(outage: Outage | undefined): boolean {
	return outage?.of === 'browser' || outage?.of === 'machine';
}

/** Throws a PageError where a row has too many characters to be kept. */
export function checkRow(characters: number): void {
	if (characters <= maxRow) return;
	throw new PageError(
		`A row has ${characters} characters, more than ${maxRow}: choose fewer columns, or smaller parts of the page for them.`,
	);
}

/** Characters of rows that are read of a page at once: each may have a large value that stands there once. */
const maxTogether = 100 * 1024 * 1024;

/** Throws a PageError where rows have too many characters together. */
export function checkTogether(characters: number): void {
	if (characters <= maxTogether) return;
	throw new PageError(
		`The rows that are read here have more than ${maxTogether} characters together: choose smaller parts of the page for the columns that stand in each of them.`,
	);
}
