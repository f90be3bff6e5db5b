/// <reference lib="dom" />
import { z } from 'zod';
import type { DocumentState } from './documentState.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';

/** Milliseconds that two looks have to be apart to tell how busy a page was between them. */
export const workTerm = 50;
/** Of this time, how much busy pages work, as where timers make one piece by piece. */
const busyShare = 0.15;

const lookShape = z.object({
	/** Scripts leave nobody else a turn that may wait. */
	isTaken: z.boolean(),
	/** See `Timers`. */
	goOnAtOnce: z.boolean(),
	/** Milliseconds since scripts have changed the document. */
	unchanged: z.number(),
	/** How many elements it has. */
	size: z.number(),
	/** Whether a frame has come since. */
	isDrawn: z.boolean(),
	/** See `TimesLeft`. */
	timesLeft: z.object({
		all: z.number(),
		ofClick: z.number(),
		putOff: z.number(),
		followUp: z.number(),
		ofWorkers: z.number(),
		ofFrames: z.number(),
	}),
	/** Whether anything of the document is there. */
	hasBegun: z.boolean(),
	/** Whether all of it is. */
	isParsed: z.boolean(),
	/** Whether its scripts may have something to do later. */
	mayGoOn: z.boolean(),
	/** What it says of where and when it sends its reader on, and what that address counts from. */
	refreshes: z.array(z.string()),
	base: z.string(),
	encoding: z.string(),
});

/** How a document is at one moment. */
export interface Look extends z.output<typeof lookShape> {
	/** Whether they leave others turns, but take much of the time; undefined if that is not known yet. */
	isBusy: boolean | undefined;
	/** From when on that is told next, and how much the page had worked by then, both in milliseconds. */
	since: { at: number; taskTime: number };
}

/** What is known of a document that has just begun. */
export const unseen: Look = {
	isTaken: false,
	goOnAtOnce: false,
	isBusy: undefined,
	since: { at: -Infinity, taskTime: 0 },
	unchanged: 0,
	size: 0,
	isDrawn: true,
	timesLeft: { all: 0, ofClick: 0, putOff: 0, followUp: 0, ofWorkers: 0, ofFrames: 0 },
	hasBegun: false,
	isParsed: false,
	mayGoOn: true,
	refreshes: [],
	base: '',
	encoding: '',
};

/** How the open document is, and has been since the last look; while another one comes, as one that has just begun. */
export async function lookAt(world: IsolatedWorld, { since }: Look = unseen): Promise<Look> {
	const answer = await world.call(lookInPage, undefined).catch(() => undefined);
	if (answer === undefined) return unseen;
	const look = lookShape.parse(answer);
	const now = { at: performance.now(), taskTime: await world.taskTime() };
	const term = now.at - since.at;
	if (term < workTerm) return { ...look, isBusy: undefined, since };
	const isKnown = since.at !== -Infinity;
	const isBusy = isKnown ? now.taskTime - since.taskTime > busyShare * term : undefined;
	return { ...look, isBusy, since: now };
}

/** Runs in the page, so it can use nothing that is outside of it. */
async function lookInPage({
	own,
	unchangedFor,
	isDrawn,
	timesLeft,
	goOnAtOnce,
	mayGoOn,
	isIdle,
}: DocumentState): Promise<unknown> {
	const isTaken = !(await isIdle());
	const refreshes = [...document.querySelectorAll('meta[http-equiv="refresh" i]')];
	return {
		isTaken,
		goOnAtOnce: goOnAtOnce(),
		// JSON has no Infinity.
		unchanged: Math.min(unchangedFor(), 1e6),
		size: document.getElementsByTagName('*').length,
		isDrawn: isDrawn(),
		timesLeft: timesLeft(),
		hasBegun: document.documentElement !== null,
		isParsed: document.readyState !== 'loading',
		mayGoOn: mayGoOn(),
		refreshes: refreshes.map((each) => own(each).getAttribute('content') ?? ''),
		base: document.baseURI,
		encoding: document.characterSet,
	};
}
