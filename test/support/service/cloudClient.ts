import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describedBy, expectDescribed } from './describedAnswers';

/** A batch as the service sends it, its 64-bit id as text. */
export interface Batch {
	batchID: string;
	taskID: string;
	createTime: number;
	updateTime: number;
	startTime: number;
	endTime: number;
	useTime: number;
	lineCount: number;
	duplicatedCount: number;
	captchaCount: number;
	ipProxyUsage: number;
	region: string;
	nodeCount: number;
	jobCount: number;
	status: number;
	fields: { id: string; name: string }[];
}

export interface Page<Item> {
	list: Item[];
	pagination: { page: number; size: number; total: number };
}

export interface Answer<Data> {
	httpStatus: number;
	code: number;
	msg: string;
	data: Data;
}

export interface Call {
	method?: string;
	query?: Record<string, string | number | boolean>;
	/** A string is sent as it is, anything else as JSON. */
	body?: unknown;
	/** On top of the valid ones; `undefined` leaves one out. */
	headers?: Record<string, string | undefined>;
}

export type StartOptions = Partial<{
	nodeCount: number;
	jobCount: number;
	region: string;
	actionParams: { id: string; path?: string | null; value: unknown }[];
}>;

export type CloudClient = ReturnType<typeof cloudClient>;

/** Talks to a service over HTTP, as every client does. */
export function cloudClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
	/** One request; resolves to the envelope whatever it says, rejects if there is none. */
	async function call<Data>(path: string, options: Call = {}): Promise<Answer<Data>> {
		const query = new URLSearchParams();
		for (const [name, value] of Object.entries(options.query ?? {})) query.set(name, String(value));
		const headers = Object.entries({
			authorization: `Bearer ${apiKey}`,
			'x-cp-request-id': randomUUID(),
			...(options.body !== undefined && { 'content-type': 'application/json' }),
			...options.headers,
		}).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
		const description = await describedBy(baseUrl);
		const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
		const response = await fetch(`${baseUrl}${path}?${query.toString()}`, {
			method,
			headers,
			body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
		});
		const json = await response.text();
		const envelope = decode<Omit<Answer<Data>, 'httpStatus'>>(json);
		if (description) expectDescribed(description, { method, path, json });
		return { httpStatus: response.status, ...envelope };
	}

	async function succeed<Data>(path: string, options: Call): Promise<Data> {
		const { code, msg, data } = await call<Data>(path, options);
		if (code !== 0) throw new Error(`${path} answered ${code}: ${msg}`);
		return data;
	}

	function start(taskID: string, { actionParams, ...rest }: StartOptions = {}): Promise<Batch> {
		const body = {
			taskID,
			nodeCount: 1,
			jobCount: 1,
			...rest,
			...(actionParams && { actionParams: JSON.stringify(actionParams) }),
		};
		return succeed('/cloud/start', { body });
	}

	function batches(taskID: string, query: Call['query'] = {}): Promise<Page<Batch>> {
		return succeed('/cloud/batches', {
			query: { taskID, page: 1, size: 100, orderBy: 0, ...query },
		});
	}

	function data(batchID: string, query: Call['query'] = {}): Promise<Page<string>> {
		return succeed('/cloud/data', {
			query: { batchID, page: 1, size: 1000, preview: false, ...query },
		});
	}

	/** The batch when `isReached` accepts it. Looks again when a tenth of the time so far has passed: looking costs. */
	async function waitFor(batch: Batch, isReached: (batch: Batch) => boolean): Promise<Batch> {
		for (let pause = 20; ; pause *= 1.1) {
			const { list } = await batches(batch.taskID);
			const found = list.find(({ batchID }) => batchID === batch.batchID);
			if (found && isReached(found)) return found;
			await sleep(pause);
		}
	}

	/** Starts a task, waits for its end and resolves to its rows by column name. */
	async function run(taskID: string, options?: StartOptions) {
		const started = await start(taskID, options);
		const batch = await waitFor(started, ({ status }) => status >= 3);
		return { batch, rows: await rowsOf(batch) };
	}

	async function rowsOf(batch: Batch): Promise<Record<string, string>[]> {
		return (await rawRowsOf(batch)).map((row) =>
			Object.fromEntries(batch.fields.map(({ id, name }) => [name, row[id] ?? ''])),
		);
	}

	/** All rows of a batch: value by field id, only of the step that made the row. */
	async function rawRowsOf({ batchID }: Batch): Promise<Record<string, string>[]> {
		const rows: string[] = [];
		for (let page = 1; ; page += 1) {
			const { list, pagination } = await data(batchID, { page });
			rows.push(...list);
			if (list.length === 0 || rows.length >= pagination.total) break;
		}
		return rows.map((row) => decode<Record<string, string>>(row));
	}

	return {
		call,
		start,
		stop: (taskID: string) => succeed<Batch>('/cloud/stop', { body: { taskID } }),
		batches,
		data,
		waitFor,
		run,
		rowsOf,
		rawRowsOf,
	};
}

/** Reads JSON as what the test expects it to be; 64-bit ids become text. */
function decode<Expected>(json: string): Expected {
	return JSON.parse(json.replace(/"batchID":(\d+)/g, '"batchID":"$1"')) as Expected;
}
