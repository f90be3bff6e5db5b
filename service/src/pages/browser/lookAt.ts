/// <reference lib="dom" />
import { z } from 'zod';
import type { DocumentState } from './documentState.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';

const lookShape = z.object({
	/** Scripts are at work, and leave nobody else a turn that may wait. */
	isAtWork: z.boolean(),
	/** Milliseconds since scripts have changed the document. */
	unchanged: z.number(),
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
export type Look = z.output<typeof lookShape>;

/** What is known of a document that has just begun. */
export const unseen: Look = {
	isAtWork: false,
	unchanged: 0,
	hasBegun: false,
	isParsed: false,
	mayGoOn: true,
	refreshes: [],
	base: '',
	encoding: '',
};

/** How the open document is; while another one comes, as one that has just begun. */
export async function lookAt(world: IsolatedWorld): Promise<Look> {
	return lookShape.parse(await world.call(lookInPage, undefined).catch(() => unseen));
}

/** Runs in the page, so it can use nothing that is outside of it. */
async function lookInPage({ own, unchangedFor, mayGoOn, isIdle }: DocumentState): Promise<unknown> {
	const isAtWork = !(await isIdle());
	const refreshes = [...document.querySelectorAll('meta[http-equiv="refresh" i]')];
	return {
		isAtWork,
		// JSON has no Infinity.
		unchanged: Math.min(unchangedFor(), 1e6),
		hasBegun: document.documentElement !== null,
		isParsed: document.readyState !== 'loading',
		mayGoOn: mayGoOn(),
		refreshes: refreshes.map((each) => own(each).getAttribute('content') ?? ''),
		base: document.baseURI,
		encoding: document.characterSet,
	};
}
