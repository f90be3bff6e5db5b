import { isObject, listAt, objectAt, textAt } from './json.ts';
import type { JsonObject } from './json.ts';
import type { N8nApi } from './n8nApi.ts';

const pollEveryMs = 250;
/** Far more than any takes on a machine that is busy: what hangs ends. */
const hangsAfterMs = 600_000;
const unfinished = ['new', 'running', 'waiting'];

/** One run of a workflow in n8n, after its end. */
export interface Execution {
	id: string;
	/** n8n's word for how it ended: "success", "error", "canceled", "crashed". */
	status: string;
	/** What went wrong, if anything did. */
	error?: JsonObject;
	/** What each run of a node gave out, by the node's name. */
	runs: Record<string, NodeRun[]>;
}

export interface NodeRun {
	/** The `json` of each item of the node's first output. */
	items: JsonObject[];
	/** The whole items of all outputs, with pairedItem and binary. */
	outputs: JsonObject[][];
	hints: JsonObject[];
	error?: JsonObject;
}

/** Runs a stored workflow from one of its triggers, as "Execute workflow" does in the editor. */
export async function execute(
	api: N8nApi,
	workflowId: string,
	trigger: string,
): Promise<Execution> {
	return await executionEnded(api, await beginExecution(api, workflowId, trigger));
}

/** Starts a stored workflow, and returns the id of its execution. */
export async function beginExecution(
	api: N8nApi,
	workflowId: string,
	trigger: string,
): Promise<string> {
	const started = await api.post(`/rest/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return textAt(started, 'executionId');
}

/** Waits for the end of an execution and reads what its nodes gave out. */
export async function executionEnded(api: N8nApi, id: string): Promise<Execution> {
	const deadline = Date.now() + hangsAfterMs;
	for (;;) {
		const stored = await api.find(`/rest/executions/${id}`);
		const status = stored && textAt(stored, 'status');
		if (stored && status && !unfinished.includes(status)) return readExecution(id, status, stored);
		if (Date.now() > deadline) {
			await api.post(`/rest/executions/${id}/stop`, {});
			throw new Error(`Execution ${id} had not ended after ${hangsAfterMs / 1000} s: ${status}`);
		}
		await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
	}
}

function readExecution(id: string, status: string, stored: JsonObject): Execution {
	const result = objectAt(objectAt(unflatten(textAt(stored, 'data'))), 'resultData');
	const runs = Object.entries(objectAt(result, 'runData')).map(
		([node, nodeRuns]): [string, NodeRun[]] => [node, listAt(nodeRuns).map(readRun)],
	);
	return { id, status, error: errorIn(result), runs: Object.fromEntries(runs) };
}

function readRun(run: unknown): NodeRun {
	const { data, hints } = objectAt(run);
	// The sub-nodes of an AI agent have other outputs.
	const main = isObject(data) && 'main' in data ? listAt(data, 'main') : [];
	const outputs = main.map((items) =>
		items === null ? [] : listAt(items).map((item) => objectAt(item)),
	);
	return {
		items: (outputs[0] ?? []).map((item) => objectAt(item, 'json')),
		outputs,
		hints: Array.isArray(hints) ? hints.map((hint) => objectAt(hint)) : [],
		error: errorIn(objectAt(run)),
	};
}

function errorIn({ error }: JsonObject): JsonObject | undefined {
	return isObject(error) ? error : undefined;
}

/**
 * n8n stores executions "flatted": a list whose first entry is the root, and in which every text
 * inside an object or list is the position of the value it stands for.
 */
function unflatten(text: string): unknown {
	const values = listAt(JSON.parse(text));
	const known = new Map<number, unknown>();
	const valueAt = (position: number): unknown => {
		if (known.has(position)) return known.get(position);
		const value = values[position];
		if (Array.isArray(value)) {
			const list: unknown[] = [];
			known.set(position, list);
			for (const entry of value) list.push(resolve(entry));
			return list;
		}
		if (isObject(value)) {
			const object: JsonObject = {};
			known.set(position, object);
			for (const [key, entry] of Object.entries(value)) {
				Object.defineProperty(object, key, { value: resolve(entry), enumerable: true });
			}
			return object;
		}
		return value;
	};
	const resolve = (entry: unknown) => (typeof entry === 'string' ? valueAt(Number(entry)) : entry);
	return valueAt(0);
}
