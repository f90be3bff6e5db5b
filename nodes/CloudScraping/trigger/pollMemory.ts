import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../api/json';
import type { Tries } from './firedItems';
import { readCounts, readState } from './storedState';
import type { TriggerState } from './triggerState';

/** What one poll leaves to the next. */
export interface PollMemory {
	state?: TriggerState;
	/** By batch: in how many polls its rows could not be read. */
	unread: Tries;
	/** One for each poll that has fired, and one for the baseline; newest first. */
	revisions: string[];
}

/** More than fire while an execution that writes static data goes on. */
const maxRevisions = 30;

/**
 * What the last poll that fired nothing has left, by trigger and task. What n8n hands over may be older:
 * - it stores such a poll with the next one that fires, and its durable scheduler never does;
 * - it stores under the node's name, so a renamed node gets nothing;
 * - an execution that writes static data (a Code node) stores all of it as it was when it began.
 *
 * A poll that has fired is not kept here: n8n drops its items where the workflow was changed meanwhile.
 */
const quietPolls = new Map<string, PollMemory & { nodeName: string }>();

/** The newest that is known: what n8n has stored, or what this process has gone on to from there. */
export function recallPoll(key: string, nodeName: string, stored: IDataObject): PollMemory {
	const { revisions } = stored;
	const memory = {
		state: readState(stored.state),
		unread: readCounts(stored.unread),
		revisions: Array.isArray(revisions) ? revisions.map(String) : [],
	};
	const quiet = quietPolls.get(key);
	if (!isObject(stored.state)) {
		return quiet && quiet.nodeName !== nodeName ? { ...quiet, revisions: [] } : memory;
	}
	return quiet?.revisions.includes(memory.revisions[0]) ? quiet : memory;
}

/** Keeps what a poll has left, in n8n's static data and here. */
export function rememberPoll(
	key: string,
	nodeName: string,
	stored: IDataObject,
	{ state, unread, revisions }: PollMemory,
	hasFired: boolean,
): void {
	const isNew = hasFired || revisions.length === 0;
	const memory = {
		state,
		unread,
		revisions: isNew ? [randomUUID().slice(0, 8), ...revisions].slice(0, maxRevisions) : revisions,
	};
	Object.assign(stored, memory);
	if (!hasFired) quietPolls.set(key, { ...memory, nodeName });
}
