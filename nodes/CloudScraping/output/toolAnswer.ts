import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { statusName } from '../api/batchStatus';
import { allUrgent } from '../hints';
import type { Notes } from '../hints';
import type { AskAgain, Run } from '../run';
import { maxRowsForAgent } from '../settings/outputSettings';

/** Characters of an answer to an agent, as JSON: a model reads all of it, and pays for it. */
const maxCharacters = 50_000;

/** Of these, the last item's, which says what was left out: quotes in it take two. */
const ofNote = 2_500;
const maxNoteLength = 1_200;
const room = maxCharacters - ofNote;

/** Characters of one value, once an answer is too long. */
const maxValueLength = 1_000;

/** Whether an AI agent calls the node as its tool. n8n says so from 2.3 on; the type's name always does. */
export function isToolOfAgent(context: IExecuteFunctions): boolean {
	return context.isToolExecution?.() === true || context.getNode().type.endsWith('Tool');
}

/** What an agent reads when a batch takes longer than it should wait. */
export function askAgainItem(
	{ itemIndex }: Run,
	taskID: string,
	{ batch, after }: AskAgain,
): INodeExecutionData {
	const { batchID, lineCount } = batch;
	const status = statusName(batch);
	const note = `Batch ${batchID} is still ${status} after ${after}. Do not start the task again. Check later: List Batches of task ${taskID} shows its status, and Get Data with batch ID ${batchID} reads its rows.`;
	return {
		json: { batchID, taskID, statusName: status, lineCount, note },
		pairedItem: { item: itemIndex },
	};
}

/**
 * The items of the node as the answer to an agent, which sees nothing else: no longer than a model
 * should read, and where something is left out, a last item that says what, and how to get it.
 */
export function boundedAnswer(items: INodeExecutionData[], notes: Notes[]): INodeExecutionData[] {
	const whole = items.map(({ json }) => json);
	const fits = jsonLength(whole) <= room;
	const isConsumed = notes.some(({ read }) => read?.isConsumed);
	const kept = fits ? whole : isConsumed ? allThatFit(whole) : firstThatFit(whole);
	const said = [
		...(fits ? [] : shortening(whole, kept, { isConsumed })),
		...rowsLeftOut(notes, kept.length, fits),
		// What is merely good to know is for people.
		...allUrgent(notes),
	];
	const answer = kept.map((json, index) => ({ ...items[index], json }));
	if (said.length === 0) return answer;
	const note = cutText([...new Set(said)].join(' '), maxNoteLength);
	return [...answer, { json: { note }, pairedItem: items.at(-1)?.pairedItem }];
}

function rowsLeftOut(notes: Notes[], kept: number, fits: boolean): string[] {
	let left = kept;
	return notes.flatMap(({ read, hints }) => {
		if (!read) return [];
		const rows = Math.min(read.rows, left);
		left -= rows;
		const name = `${read.name.charAt(0).toLowerCase()}${read.name.slice(1)}`;
		// A hint says why, where there is one.
		const why = hints.length > 0 ? '' : (read.whyEmpty ?? '');
		if (read.rows === 0) return [`No rows from ${name}. ${why}`.trim()];
		if (read.outOf === undefined) return [];
		if (read.isConsumed) return [`There may be more rows of ${name}: ask again for the next ones.`];
		const these = `These are the first ${rows} of ${read.outOf} rows of ${name}.`;
		if (!fits) return [these];
		return read.rows < maxRowsForAgent
			? [`${these} Set a higher limit, or turn on 'Return All', to get more.`]
			: [
					`${these} An answer holds at most ${maxRowsForAgent} rows: the others can only be read by a workflow. Tell the user.`,
				];
	});
}

function shortening(
	whole: IDataObject[],
	kept: IDataObject[],
	{ isConsumed }: { isConsumed: boolean },
): string[] {
	const [keys, keptKeys] = [whole[0], kept[0]].map((json) => Object.keys(json).length);
	const isCut = kept.some((json, index) =>
		Object.entries(json).some(([key, value]) => value !== whole[index][key]),
	);
	return [
		'The answer was too long.',
		...(isCut ? ['Long values are cut and end in "…".'] : []),
		...(kept.length < whole.length
			? [`Of ${whole.length} items, the first ${kept.length} are here.`]
			: []),
		...(keptKeys < keys ? [`Of the ${keys} columns, the first ${keptKeys} are here.`] : []),
		isConsumed
			? 'To see the rest, read the batch without deduplication, with fewer columns (Columns to Return).'
			: 'To see the rest, ask for less at a time: fewer columns (Columns to Return) or fewer rows.',
	];
}

/** The first items that an answer has room for; of the very first one at least some keys. */
function firstThatFit(jsons: IDataObject[]): IDataObject[] {
	const forItems = room - jsonLength([]);
	const short = jsons.map((json) => shortened(json, maxValueLength));
	const kept = firstWithin(forItems, short);
	return kept.length > 0 ? kept : [fitted(jsons[0], forItems, [maxValueLength])];
}

/** All items, each cut to its share: rows that do not come again must not be missing. */
function allThatFit(jsons: IDataObject[]): IDataObject[] {
	const share = Math.floor((room - jsonLength([])) / jsons.length) - 1;
	return jsons.map((json) => fitted(json, share, [maxValueLength, 300, 100, 30, 10]));
}

/** An item with its values cut as far as allowed, and then without its last keys. */
function fitted(json: IDataObject, most: number, lengths: number[]): IDataObject {
	let short = json;
	for (const length of lengths) {
		short = shortened(json, length);
		if (jsonLength(short) <= most) return short;
	}
	// A key and its value are as long in an array as in an object.
	return Object.fromEntries(firstWithin(most - jsonLength({}), Object.entries(short)));
}

/** The first values for which there is room, each with a comma behind it. */
function firstWithin<T>(characters: number, values: T[]): T[] {
	let left = characters;
	const kept: T[] = [];
	for (const value of values) {
		left -= jsonLength(value) + 1;
		if (left < 0) break;
		kept.push(value);
	}
	return kept;
}

/** The same with each value cut that is longer than that. */
function shortened(json: IDataObject, most: number): IDataObject {
	return Object.fromEntries(
		Object.entries(json).map(([key, value]) => {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			return [key, text === undefined || text.length <= most ? value : cutText(text, most)];
		}),
	);
}

function cutText(text: string, most: number): string {
	if (text.length <= most) return text;
	// Half of a character outside of the first 65,536 is none.
	return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

function jsonLength(value: unknown): number {
	return JSON.stringify(value).length;
}
