import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectNode } from '../../support/service/startService';

/** What the service made of two things pointed at, as pointed.mjs prints it. */
export interface FoundList {
	/** Why there is nothing else. */
	failure?: string;
	entries: number;
	first: string;
	last: string;
	selector?: string;
	/** Whether the selector finds the entries and nothing else. */
	isExact: boolean;
	milliseconds: number;
	columns: FoundColumn[];
}

export interface FoundColumn {
	failure?: string;
	name: string;
	selector?: string;
	/** Entries in which there is something. */
	found: number;
	last: string;
	/** Whether it is what was pointed at, in the entry that has it. */
	isAtOwnPlace: boolean;
}

/** What the service made of one thing pointed at. */
export interface FoundElement {
	failure?: string;
	selector: string;
	isExact: boolean;
	milliseconds: number;
	/** Its text, and where the link around it leads. */
	is: string[];
	/** The same of what the selector finds first on each other page; nothing: an empty list. */
	elsewhere: string[][];
}

/** Points at two things of each page, and at things inside of their entries. */
export async function pointAtLists(
	lists: { page: string; pointedAt: string[]; columns: string[] }[],
): Promise<FoundList[]> {
	return listOfAll<FoundList>(await pointAt(lists));
}

/** Points at one thing of each page, and looks for it on others. */
export async function pointAtElements(
	elements: { page: string; pointedAt: string[]; elsewhere: string[] }[],
): Promise<FoundElement[]> {
	return listOfAll<FoundElement>(await pointAt(elements));
}

/** Runs the service's ES modules in a process of their own. */
function pointAt(things: object[]): Promise<unknown> {
	const running = promisify(execFile)(projectNode, [join(__dirname, 'pointed.mjs')], {
		maxBuffer: 100_000_000,
	});
	running.child.stdin?.end(JSON.stringify(things));
	return running.then(({ stdout }): unknown => JSON.parse(stdout));
}

function listOfAll<Found>(printed: unknown): Found[] {
	const isList = (value: unknown): value is Found[] => Array.isArray(value);
	if (!isList(printed)) throw new Error('pointed.mjs has printed no list.');
	return printed;
}
