import type { FieldRule } from '../tasks/task.ts';
import type { Fingerprint } from './seenPages.ts';

/** The values of one row by field id. */
export type Row = Record<string, string>;

/**
 * What an agent has before it: one page of a site at a time. Selectors count from the element that
 * was entered last (the item of a loop over elements), or from the whole page.
 * Every method throws a PageError when the page does not do what is asked.
 */
export interface Page {
	/** Opens an absolute http(s) URL. */
	open(url: string): Promise<void>;
	/** Types a text into a field, in the place of what it holds. */
	inputText(selector: string, text: string): Promise<void>;
	/** Clicks an element (the entered one without a selector), then waits for `waitFor` to be there. */
	click(selector?: string, waitFor?: string): Promise<void>;
	/** Whether there is such an element, once there is one; false if none comes. */
	has(selector: string): Promise<boolean>;
	/** How many elements there are, once there is one; 0 if none comes. */
	count(selector: string): Promise<number>;
	/** Narrows what follows to one of these elements, until another page is opened. */
	enter(selector: string, index: number): Promise<void>;
	/** The address that the entered element leads to. */
	enteredLink(): Promise<string>;
	/** The text of the entered element. */
	enteredText(): Promise<string>;
	/** A row for each of these elements; one for the entered element or page without a selector. */
	read(selector: string | undefined, fields: FieldRule[]): Promise<Row[]>;
	/** Scrolls to the end; false if that brought nothing new. */
	scroll(): Promise<boolean>;
	/** Remembers the page as it is now, and returns a way back to it. */
	bookmark(): Promise<() => Promise<void>>;
	/** What tells this page from others; given the one before a click, waits for that to change it. */
	fingerprint(before?: Fingerprint): Promise<Fingerprint>;
	close(): Promise<void>;
}

/** A page failed: an HTTP error, a time-out, a missing element. Worth another try. */
export class PageError extends Error {}
