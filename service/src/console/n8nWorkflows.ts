import { withoutPasswords } from '../log/withoutPasswords.ts';
import { replaceableField, type ReplaceableKind } from '../tasks/replaceableField.ts';
import { allSteps, type Task } from '../tasks/task.ts';
import { addressOf } from '../tasks/values.ts';
import { shortened } from '../text/shortened.ts';

/** A workflow for n8n's canvas. */
export interface N8nWorkflow {
	name: string;
	/** What it does, in a sentence. */
	does: string;
	/** What n8n's editor takes from the clipboard. No credential is in it. */
	json: string;
}

/** A node of n8n: the names are those that workflows hold, so they never change. */
interface N8nNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	/** What n8n shows below the name: which of several tasks it is. */
	notes?: string;
	notesInFlow?: boolean;
}

/** Workflows that use a task, to be pasted in n8n. `site`: what `{site}` stands for. */
export function n8nWorkflows(task: Task, site: string): N8nWorkflow[] {
	const ours = (name: string, type: string, parameters: Record<string, unknown>): N8nNode => ({
		name,
		type: `n8n-nodes-cloud-scraping.${type}`,
		typeVersion: 1,
		parameters: { ...parameters, taskId: task.taskID },
		notes: shortened(task.name, 60),
		notesInFlow: true,
	});
	const { values, isWhole } = stepValues(task, site);
	const hasValues = Object.keys(values).length > 0;
	const withValues = hasValues && {
		specifyActionParams: 'fields',
		actionParams: values,
	};
	const copied = hasValues
		? ' The values of its steps, such as a URL, are copied into “Step Values” of the node, where later changes of the task do not reach them: change them there, or delete them to have the task’s own.'
		: '';
	const others = isWhole ? '' : ' Values that do not fit in there are left to the task.';
	return [
		{
			name: 'Run it and get its rows',
			does: `started by hand.${copied}${others}`,
			json: textOf([
				byHand,
				ours('Run Task and Get Data', 'cloudScraping', {
					operation: 'runAndGetData',
					...withValues,
					returnAll: true,
				}),
			]),
		},
		{
			name: 'Each morning, only new rows',
			does: 'at seven o’clock in the time zone of n8n; a row that came out once does not come again. A page without rows is an error.',
			json: textOf([
				eachMorning,
				ours('Run Task and Get Data', 'cloudScraping', {
					operation: 'runAndGetData',
					returnAll: true,
					onlyNew: true,
					// Else a site that is down looks like one with nothing new.
					options: { minRows: 1 },
				}),
			]),
		},
		{
			name: 'In two parts, with a trigger for its end',
			does: 'one starts it by hand and waits for nothing; the other begins when a batch of it has ended, with its rows.',
			json: textOf(
				[byHand, ours('Start Task', 'cloudScraping', { operation: 'start' })],
				[
					ours('When a Batch Has Ended', 'cloudScrapingTrigger', {
						pollTimes: { item: [{ mode: 'everyMinute' }] },
						event: 'finished',
						output: 'rows',
					}),
				],
			),
		},
	];
}

const byHand: N8nNode = {
	name: 'When clicking ‘Execute workflow’',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

const eachMorning: N8nNode = {
	name: 'Every Morning',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'days', triggerAtHour: 7 }] } },
};

/** Rows of nodes, one below the other; in a row each leads to the next. */
function textOf(...rows: N8nNode[][]): string {
	const nodes = rows.flatMap((row, y) =>
		row.map((node, x) => ({ ...node, position: [x * 240, y * 220] })),
	);
	const links = rows.flatMap((row) =>
		row
			.slice(1)
			.map((node, index): [string, unknown] => [
				row[index]?.name ?? '',
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
	);
	return JSON.stringify({ nodes, connections: Object.fromEntries(links) });
}

/** The group of the node's "Step Values" for each kind, and the field in it that holds the value. */
const groups: Record<ReplaceableKind, { group: string; field: string }> = {
	url: { group: 'navigate', field: 'url' },
	text: { group: 'inputText', field: 'text' },
	times: { group: 'loopTimes', field: 'times' },
	urls: { group: 'urlList', field: 'urls' },
	texts: { group: 'textList', field: 'texts' },
};

/** Characters of all values in a workflow: more than that nobody changes by hand. */
const maxCharacters = 20_000;

/**
 * The values that a start can replace, as the node's "Step Values" hold them, and whether they are all
 * there: one that n8n could not give back as it is stays with the task, and so does a password.
 */
function stepValues(task: Task, site: string) {
	const values: Record<string, Record<string, unknown>[]> = {};
	let isWhole = true;
	let left = maxCharacters;
	for (const step of allSteps(task.steps)) {
		const replaceable = replaceableField(step);
		if (typeof replaceable === 'string' || replaceable.value === undefined) continue;
		const { group, field } = groups[replaceable.kind];
		const value = valueForNode(replaceable.value, replaceable.kind, site);
		left -= String(value).length;
		if (value === undefined || left < 0) isWhole = false;
		else (values[group] ??= []).push({ id: step.id, [field]: value });
	}
	return { values, isWhole };
}

function valueForNode(
	value: string | number | string[],
	kind: ReplaceableKind,
	site: string,
): string | number | undefined {
	if (typeof value === 'number') return value;
	const isAddress = kind === 'url' || kind === 'urls';
	const texts = [value].flat().map((text) => (isAddress ? pageAddress(text, site) : text));
	if (texts.some((text) => withoutPasswords(text) !== text)) return undefined;
	if (!Array.isArray(value)) return asText(texts.join(''));
	// The node leaves out blank entries.
	if (texts.some((text) => text.trim() === '')) return undefined;
	const areLines = texts.every((text) => text === text.trim() && !/[\r\n]/.test(text));
	const lines = texts.join('\n');
	return asText(areLines && !lines.startsWith('[') ? lines : JSON.stringify(texts));
}

/** The node takes what can be seen to be one address, a browser more than that. */
function pageAddress(url: string, site: string): string {
	const address = addressOf(url, site);
	return /^https?:\/\/\S+$/i.test(address) ? address : new URL(address).href;
}

/** To n8n, what begins with "=" is an expression to compute: here it is one that gives that very text. */
function asText(text: string): string {
	if (!text.startsWith('=')) return text;
	const literal = JSON.stringify(text).replace(
		/[{}]/g,
		(brace) => `\\u${brace.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return `={{ ${literal} }}`;
}
