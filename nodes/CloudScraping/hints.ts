import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiContext } from './api/connection';

/** What n8n shows of an execution of the node, however many input items there are. */
const mostHints = 3;

/** Whether rows or money may be lost, whether the user should look, or whether it is good to know. */
type Urgency = 'loss' | 'attention' | 'remark';

/** What is to be said of one input item beside its output. */
export interface Notes {
	read?: ReadNote;
	/** Milliseconds that its run has taken. */
	ran?: number;
	/** Sentences. What may be lost is always shown, in one hint; of the others the most urgent ones. */
	hints: Array<{ message: string; urgency: Urgency }>;
}

/** What came of reading the rows of a batch. */
export interface ReadNote {
	name: string;
	rows: number;
	duplicates: number;
	/** Of a read that returns new rows only: the rows that came out before, and all that there are. */
	onlyNew?: { known: number; total: number };
	/** Rows that there are, when a limit has cut them off. */
	outOf?: number;
	/** Why there are no rows. */
	whyEmpty?: string;
	/** Whether rows that were read once do not come again. */
	comesOnce?: boolean;
}

/** Notes that rows may be missing, or that a run goes on that costs money: no other note hides it. */
export function warn({ notes }: { notes: Notes }, message: string): void {
	notes.hints.push({ message, urgency: 'loss' });
}

/** Notes a sentence that needs the user's attention. */
export function hint({ notes }: { notes: Notes }, message: string): void {
	notes.hints.push({ message, urgency: 'attention' });
}

/** Notes a sentence that may be left out beside ones that need attention. */
export function remark({ notes }: { notes: Notes }, message: string): void {
	notes.hints.push({ message, urgency: 'remark' });
}

/** What was noted that needs the user's attention, or more. */
export function urgent({ hints }: Notes): string[] {
	return hints.flatMap(({ message, urgency }) => (urgency === 'remark' ? [] : [message]));
}

/** Shows what was noted of all items beside the node's output. n8n releases without hints show nothing. */
export function showHints(context: IExecuteFunctions, ofItems: Notes[]): void {
	const noted = (urgency: Urgency) =>
		ofItems.flatMap(({ hints }) => hints.filter((each) => each.urgency === urgency));
	const inOne = [...new Set(noted('loss').map(({ message }) => message))].join(' ');
	const others = [...noted('attention'), ...noted('remark')].map(({ message }) => message);
	const messages = [...new Set([...sums(ofItems), ...(inOne === '' ? [] : [inOne]), ...others])];
	const left = messages.length - mostHints + 1;
	if (left > 1) messages.splice(mostHints - 1, left, `And ${left} more notes.`);
	for (const message of messages) {
		context.addExecutionHints?.({ message, location: 'outputPane', type: 'info' });
	}
}

/** Writes to n8n's log what no output and no hint can say. */
export function logWarning(context: ApiContext, text: string, error?: Error): void {
	context.logger.warn(text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
		...(error && 'description' in error && { description: error.description }),
		...(error instanceof NodeApiError && { httpCode: error.httpCode, code: error.context.code }),
	});
}

/** e.g. `20 runs: 50 of 1,204 rows (Limit), 3 duplicates.`; none when no rows were read. */
function sums(ofItems: Notes[]): string[] {
	const ofReads = ofItems.flatMap(({ read, ran }) => (read ? [{ read, ran }] : []));
	if (ofReads.length === 0) return [];
	const reads = ofReads.map(({ read }) => read);
	const add = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
	const rows = add(reads.map((read) => read.rows));
	const outOf = add(reads.map((read) => read.outOf ?? read.rows));
	const duplicates = add(reads.map((read) => read.duplicates));
	const known = add(reads.map(({ onlyNew }) => onlyNew?.known ?? 0));
	const isOnlyNew = rows > 0 && reads.every(({ onlyNew }) => onlyNew !== undefined);
	const all = isOnlyNew ? add(reads.map(({ onlyNew }) => onlyNew?.total ?? 0)) : outOf;
	const counted = [
		all > rows || isOnlyNew
			? `${rows.toLocaleString('en')} ${isOnlyNew ? 'new ' : ''}of ${count(all, 'row')}${outOf > rows ? ' (Limit)' : ''}`
			: count(rows, 'row'),
		...(duplicates > 0 ? [count(duplicates, 'duplicate')] : []),
		...(isOnlyNew && known > 0 ? [`${known.toLocaleString('en')} were returned before`] : []),
	];
	if (ofReads.length > 1) {
		const what = ofReads.every(({ ran }) => ran !== undefined) ? 'run' : 'batch';
		const empty = reads.filter((read) => read.rows === 0).length;
		if (empty > 0) counted.push(`${empty.toLocaleString('en')} without rows`);
		return [`${count(ofReads.length, what)}: ${counted.join(', ')}.`];
	}
	const [{ read, ran }] = ofReads;
	if (ran !== undefined) counted.unshift(`ran ${duration(ran)}`);
	return [
		`${read.name}: ${counted.join(', ')}.${rows === 0 ? ` ${read.whyEmpty ?? ''}` : ''}`.trim(),
	];
}

function count(number: number, one: string): string {
	const many = one === 'batch' ? 'batches' : `${one}s`;
	return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
