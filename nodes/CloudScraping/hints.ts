import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiContext } from './api/connection';
import { quoted } from './api/quoted';
import { saidOfSeveral } from './saidOfSeveral';
import type { OneOfSeveral, Sentence } from './saidOfSeveral';

/** What n8n shows of an execution of the node, however many input items there are. */
const maxHints = 3;

/** Whether rows or money may be lost, whether the user should look, or whether it is good to know. */
type Urgency = 'loss' | 'attention' | 'remark';

/** What is to be said of one input item beside its output. */
export interface Notes {
	read?: ReadNote;
	/** Milliseconds that the node has waited for the batch that it has started. */
	waited?: number;
	/** Milliseconds that this batch ran, where the service says so. */
	ran?: number;
	hints: Array<Sentence & { urgency: Urgency }>;
}

/** What came of reading the rows of a batch. */
export interface ReadNote {
	name: string;
	rows: number;
	duplicates: number;
	/** How many of the rows that come out are duplicates by the service's own count. */
	keptDuplicates: number;
	/** Of a read that returns new rows only. */
	onlyNew?: OnlyNewCounts;
	/** Rows that there are, when a limit has cut them off. */
	outOf?: number;
	/** Why no rows came out. */
	whyEmpty?: string;
	/** Whether the batch has no rows at all, rather than none that come out. */
	isEmpty: boolean;
	/** How to make that an error, for people: an agent cannot set options. */
	adviceOnEmpty?: string;
	/** Whether rows that were read once do not come again. */
	isConsumed?: boolean;
}

/** Of a read that returns new rows only: the rows that do not come out, and all that there are. */
export interface OnlyNewCounts {
	/** They came out before. */
	known: number;
	/** A newer batch had their keys. */
	older: number;
	/** Of those that come out: their key was known. */
	changed: number;
	/** The first execution does not bring them out. */
	remembered: number;
	total: number;
}

/**
 * Notes that rows may be missing, or that a batch was stopped or goes on that costs money: it is said first.
 * `of`: how the same is said of several batches at once, here and below.
 */
export function warn({ notes }: { notes: Notes }, message: string, of?: OneOfSeveral): void {
	notes.hints.push({ message, urgency: 'loss', of });
}

/** Notes a sentence that needs the user's attention. */
export function hint({ notes }: { notes: Notes }, message: string, of?: OneOfSeveral): void {
	notes.hints.push({ message, urgency: 'attention', of });
}

/** Notes a sentence that is good to know: it is said last, and to no agent. */
export function remark({ notes }: { notes: Notes }, message: string, of?: OneOfSeveral): void {
	notes.hints.push({ message, urgency: 'remark', of });
}

/** What was noted that needs the user's attention, or more. */
export function urgent({ hints }: Notes): string[] {
	return hints.flatMap(({ message, urgency }) => (urgency === 'remark' ? [] : [message]));
}

/** The same of all items, the most urgent first; what is so of several batches is said once, and names each. */
export function allUrgent(ofItems: Notes[]): string[] {
	return [...saidWith('loss', ofItems), ...saidWith('attention', ofItems)];
}

/**
 * Shows what was noted of all items beside the node's output: nothing is left out, and what there are no hints
 * left for stands in the last one. n8n releases without hints show nothing.
 */
export function showHints(context: IExecuteFunctions, ofItems: Notes[]): void {
	const lost = saidWith('loss', ofItems).join(' ');
	const others = [...saidWith('attention', ofItems), ...saidWith('remark', ofItems)];
	const messages = [...sums(ofItems), ...(lost === '' ? [] : [lost]), ...others];
	const shown = messages.slice(0, maxHints - 1);
	const rest = messages.slice(maxHints - 1).join(' ');
	for (const message of rest === '' ? shown : [...shown, rest]) {
		// Names of columns are in them.
		context.addExecutionHints?.({ message: quoted(message), location: 'outputPane', type: 'info' });
	}
}

function saidWith(urgency: Urgency, ofItems: Notes[]): string[] {
	const noted = ofItems.flatMap(({ hints }) => hints.filter((each) => each.urgency === urgency));
	return saidOfSeveral(noted);
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

/** Why there is nothing new among rows that were read; undefined where there were no known ones. */
export function whyNothingNew({
	known,
	older,
	duplicates,
	remembered,
}: Record<'known' | 'older' | 'duplicates' | 'remembered', number>): string | undefined {
	if (remembered > 0) {
		const are = remembered === 1 ? 'is' : 'are';
		return `First execution: ${remembered.toLocaleString('en')} ${are} remembered; from now on, only new ones come out.`;
	}
	if (older > 0) {
		const before = known === 0 ? '' : `, ${known.toLocaleString('en')} returned before`;
		return `Nothing new: ${older.toLocaleString('en')} superseded by a newer batch${before}.`;
	}
	if (known === 0) return undefined;
	return `Nothing new: all ${(known + duplicates).toLocaleString('en')} were returned before.`;
}

/**
 * e.g. `20 batches: 50 new of 1,204 rows (Limit), 9 were returned before.`; none when no rows were read.
 * Rows that do not come out are told beside all that they are among.
 */
function sums(ofItems: Notes[]): string[] {
	const ofReads = ofItems.flatMap(({ read, ...times }) => (read ? [{ read, ...times }] : []));
	if (ofReads.length === 0) return [];
	const reads = ofReads.map(({ read }) => read);
	const sumOf = (numberOf: (read: ReadNote) => number | undefined) =>
		reads.reduce((sum, read) => sum + (numberOf(read) ?? 0), 0);
	const rows = sumOf((read) => read.rows);
	const outOf = sumOf((read) => read.outOf ?? read.rows + read.duplicates);
	const duplicates = sumOf((read) => read.duplicates);
	const known = sumOf(({ onlyNew }) => onlyNew?.known);
	const older = sumOf(({ onlyNew }) => onlyNew?.older);
	const changed = sumOf(({ onlyNew }) => onlyNew?.changed);
	const remembered = sumOf(({ onlyNew }) => onlyNew?.remembered);
	const total = sumOf(({ onlyNew }) => onlyNew?.total);
	const isOnlyNew = total > 0 && reads.every(({ onlyNew }) => onlyNew !== undefined);
	const all = isOnlyNew ? total : outOf;
	const isCut = reads.some((read) => read.outOf !== undefined);
	const kinds = `${(rows - changed).toLocaleString('en')} new${also(changed, 'changed')}`;
	const isFirst = rows === 0 && remembered > 0;
	const came = isOnlyNew && !isFirst ? kinds : rows.toLocaleString('en');
	const where = `within ${ofReads.length > 1 ? 'a' : 'the'} batch`;
	const counted = [
		all > rows || isOnlyNew
			? `${came} of ${count(all, 'row')}${isCut ? ' (Limit)' : ''}`
			: count(rows, 'row'),
		...told(
			sumOf(({ keptDuplicates }) => keptDuplicates),
			'of them a duplicate',
			'of them duplicates',
		),
		...told(duplicates, `duplicate ${where} left out`, `duplicates ${where} left out`),
		...told(known, 'was returned before', 'were returned before'),
		...told(older, 'is superseded by a newer batch', 'are superseded by a newer batch'),
	];
	const why = remembered > 0 ? whyNothingNew({ known, older, duplicates, remembered }) : undefined;
	const empty = reads.filter(({ isEmpty }) => isEmpty);
	const advice = empty.find(({ adviceOnEmpty }) => adviceOnEmpty)?.adviceOnEmpty;
	if (ofReads.length > 1) {
		if (empty.length > 0) counted.push(`${empty.length.toLocaleString('en')} without rows`);
		return [sentences(`${count(ofReads.length, 'batch')}: ${counted.join(', ')}.`, why, advice)];
	}
	const [{ read, ran, waited }] = ofReads;
	counted.unshift(...durations(ran, waited));
	const isSaid = known + older > 0;
	const whyEmpty = rows === 0 && !isSaid ? read.whyEmpty : why;
	return [sentences(`${read.name}: ${counted.join(', ')}.`, whyEmpty, advice)];
}

function sentences(...all: Array<string | undefined>): string {
	return all.filter((sentence) => sentence !== undefined).join(' ');
}

function told(number: number, one: string, many: string): string[] {
	return number === 0 ? [] : [`${number.toLocaleString('en')} ${number === 1 ? one : many}`];
}

function also(number: number, kind: string): string {
	return number === 0 ? '' : `, ${number.toLocaleString('en')} ${kind}`;
}

function count(number: number, one: string): string {
	const many = one === 'batch' ? 'batches' : `${one}s`;
	return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** How long a batch ran, and how long the node has waited for it, if that is another time. */
function durations(ran: number | undefined, waited: number | undefined): string[] {
	const [running, waiting] = [ran, waited].map((time) =>
		time === undefined ? '' : duration(time),
	);
	return [
		...(running === '' ? [] : [`ran ${running}`]),
		...(waiting === '' || waiting === running ? [] : [`waited ${waiting}`]),
	];
}

function duration(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds === 0) return 'less than 1 s';
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
