import type { Source } from '../pages/http/reader.ts';
import type { NextOffer } from './document/nextOffer.ts';
import type { FoundElement } from './document/pickingCommands.ts';
import type { Draft } from './draft.ts';

/** What the next thing that is pointed at stands for. */
export const aims = ['entries', 'column', 'next', 'follow'] as const;
export type Aim = (typeof aims)[number];

/** An element that was pointed at. */
export interface PickedElement extends FoundElement {
	number: number;
	/** What was pointed at as another one like it, and is not. */
	unlike?: PickedElement;
}

/** The page of a list as it was opened. */
export interface OpenedList {
	list: Source;
	/** Why there is none: then it is empty. */
	unopened: string | undefined;
	/** The address that was asked for, where it has led to another one. */
	ledFrom: string | undefined;
	/** Whether it asks for a password. */
	asksForPassword: boolean;
	/** What seems to lead on from it. */
	offer: NextOffer | undefined;
}

/** What the page that "next" leads to has of what is read. */
export interface FoundOnNext {
	/** How many entries, or columns without a list. */
	count: number;
	/** Whether those entries stand on the first page as well, outside of its own: they are of another list. */
	areOthers: boolean;
}

/** What of a session is brought back by an undo. */
export interface PickerState extends OpenedList {
	draft: Draft;
	/** The page that the link of the first entry leads to. */
	detail: Source | undefined;
	shown: 'list' | 'detail';
	/** What the next page has of what is read, where that was looked at. */
	foundOnNext: FoundOnNext | undefined;
	aim: Aim;
	/** What was pointed at in one entry, while another one is waited for. */
	one: PickedElement | undefined;
}
