import type { Source } from '../pages/http/reader.ts';
import type { NextOffer } from './document/nextOffer.ts';
import type { FoundElement } from './document/pickingCommands.ts';
import type { Draft } from './draft.ts';

/** What the next thing that is pointed at stands for. */
export type Aim = 'entries' | 'column' | 'next' | 'follow';

/** An element that was pointed at. */
export interface PickedElement extends FoundElement {
	number: number;
	/** The text of the one before it, which is something else. */
	unlike?: string;
}

/** What the page that "next" leads to has of what is read. */
export interface FoundOnNext {
	/** How many entries, or columns without a list. */
	count: number;
	/** Whether those entries stand on the first page as well, outside of its own: they are of another list. */
	areOthers: boolean;
}

/** What of a session is brought back by an undo. */
export interface PickerState {
	draft: Draft;
	/** The page of the list, and the one that the link of its first entry leads to. */
	list: Source;
	detail: Source | undefined;
	shown: 'list' | 'detail';
	/** What seems to lead on from the page of the list. */
	offer: NextOffer | undefined;
	/** What the next page has of what is read, where that was looked at. */
	foundOnNext: FoundOnNext | undefined;
	aim: Aim;
	/** What was pointed at in one entry, while another one is waited for. */
	one: PickedElement | undefined;
}
