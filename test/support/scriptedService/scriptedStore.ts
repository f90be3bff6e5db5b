import type { WrittenAnswer } from './scriptedAnswers';
import { matchingStatus, page, refusal, success } from './scriptedAnswers';
import type { SeenRequest } from './scriptedService';

/** A batch of a scripted service (section 2.3): what a test does not say gets a plausible value. */
export interface ScriptedBatch {
	/** Written as a JSON integer, also beyond 2^53. */
	batchID: bigint | number;
	taskID: string;
	status: number;
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
	fields: readonly unknown[];
	/** Rows as they are sent: usually texts that hold a JSON object. */
	rows: unknown[];
}

/** How a scripted service reads what the specification leaves open. All correct by default. */
export interface ServiceRules {
	/** Failures carry HTTP 200, or the status that fits their code. */
	errorsAs200: boolean;
	/** Rows or batches a page at most, and what becomes of a larger size. */
	maxSize: number;
	oversize: 'clamp' | 'clampAndEcho' | 'refuse';
	/** Duplicates are dropped before or after pages are cut (section 4.4). */
	deduplication: 'beforePaging' | 'afterPaging';
	/** Characters that a preview shows of a value. */
	previewLength: number;
}

export const correctRules: ServiceRules = {
	errorsAs200: false,
	maxSize: Infinity,
	oversize: 'refuse',
	deduplication: 'afterPaging',
	previewLength: 20,
};

/** Tasks and batches in memory, and the correct answers of the four endpoints. */
export class ScriptedStore {
	readonly batches: ScriptedBatch[] = [];

	readonly apiKey: string;

	readonly taskIDs: readonly string[];

	readonly rules: ServiceRules;

	readonly #sent = new Map<string, Set<string>>();

	#nextBatchID = 1001;

	constructor(apiKey: string, taskIDs: readonly string[], rules: Partial<ServiceRules>) {
		this.apiKey = apiKey;
		this.taskIDs = taskIDs;
		this.rules = { ...correctRules, ...rules };
	}

	/** Adds a batch, newer than those before it. */
	add(batch: Partial<ScriptedBatch> = {}): ScriptedBatch {
		const created = Date.UTC(2026, 10, 20) + this.batches.length * 60_000;
		const rows = batch.rows ?? [];
		const waits = batch.status === 1;
		const added: ScriptedBatch = {
			batchID: this.#nextBatchID++,
			taskID: this.taskIDs[0],
			status: 3,
			createTime: created,
			updateTime: waits ? created : created + 30_000,
			startTime: waits ? 0 : created + 1_000,
			endTime: (batch.status ?? 3) >= 3 ? created + 30_000 : 0,
			useTime: waits ? 0 : 29,
			lineCount: rows.length,
			duplicatedCount: 0,
			captchaCount: 0,
			ipProxyUsage: 0,
			region: 'us',
			nodeCount: 1,
			jobCount: 1,
			fields: [],
			...batch,
			rows,
		};
		if (batch.lineCount === undefined) countRows(added);
		this.batches.push(added);
		return added;
	}

	/** The answer of a service that follows the specification. */
	answer(request: SeenRequest): WrittenAnswer {
		if (request.headers.authorization !== `Bearer ${this.apiKey}`) {
			return this.#refuse(9000003, 'unauthorized');
		}
		switch (request.endpoint) {
			case 'start':
				return this.#start(request);
			case 'stop':
				return this.#stop(request);
			case 'batches':
			case 'batchesBefore':
				return this.#list(request);
			case 'data':
				return this.#data(request);
			case undefined:
				return this.#refuse(9000004, `no endpoint ${request.method} ${request.path}`);
		}
	}

	#refuse(code: number, msg: string): WrittenAnswer {
		return refusal(code, msg, this.rules.errorsAs200 ? 200 : matchingStatus(code));
	}

	#start({ body }: SeenRequest): WrittenAnswer {
		const { taskID, region, nodeCount, jobCount } = body;
		if (!this.#hasTask(taskID)) return this.#refuse(9000004, `no task ${String(taskID)}`);
		const batch = this.add({
			taskID: String(taskID),
			status: 1,
			createTime: Date.now(),
			updateTime: Date.now(),
			region: typeof region === 'string' ? region : 'us',
			nodeCount: Number(nodeCount),
			jobCount: Number(jobCount),
			fields: this.#newestFirst(taskID)[0]?.fields ?? [],
		});
		return success(onTheWire(batch));
	}

	#stop({ body: { taskID } }: SeenRequest): WrittenAnswer {
		if (!this.#hasTask(taskID)) return this.#refuse(9000004, `no task ${String(taskID)}`);
		const running = this.#newestFirst(taskID).find(({ status }) => status === 1 || status === 2);
		if (!running) return this.#refuse(9000002, 'nothing to stop');
		Object.assign(running, { status: 4, endTime: Date.now(), updateTime: Date.now() });
		return success(onTheWire(running));
	}

	#list({ query: { taskID, orderBy, ...paging } }: SeenRequest): WrittenAnswer {
		if (!this.#hasTask(taskID)) return this.#refuse(9000004, `no task ${taskID}`);
		const newestFirst = this.#newestFirst(taskID);
		const ordered =
			orderBy === '1'
				? newestFirst.sort((a, b) => b.useTime - a.useTime)
				: orderBy === '2'
					? newestFirst.sort((a, b) => b.lineCount - a.lineCount)
					: newestFirst;
		return this.#cutPage(ordered.map(onTheWire), paging);
	}

	#data({ query }: SeenRequest): WrittenAnswer {
		const { batchID, preview, deduplication, deduplicationID = '' } = query;
		const batch = this.batches.find((known) => String(known.batchID) === batchID);
		if (!batch) return this.#refuse(9000004, `no batch ${batchID}`);
		const shown = (row: unknown) => (preview === 'true' ? this.#preview(row) : row);
		if (deduplication !== 'true') return this.#cutPage(batch.rows, query, shown);
		if (deduplicationID === '') return this.#refuse(9000000, 'deduplicationID is missing');
		const sent = this.#sent.get(deduplicationID) ?? new Set<string>();
		this.#sent.set(deduplicationID, sent);
		if (this.rules.deduplication === 'afterPaging') {
			return this.#cutPage(batch.rows, query, shown, (rows) => keepNew(rows, sent));
		}
		const unsent = keepNew(batch.rows, new Set(sent));
		return this.#cutPage(unsent, query, shown, (rows) => keepNew(rows, sent));
	}

	#cutPage(
		entries: readonly unknown[],
		paging: Record<string, string>,
		shown = (entry: unknown) => entry,
		chosen = (entriesOfPage: readonly unknown[]) => entriesOfPage,
	): WrittenAnswer {
		const [number, asked] = [Number(paging.page), Number(paging.size)];
		if (!(Number.isInteger(number) && number >= 1 && Number.isInteger(asked) && asked >= 1)) {
			return this.#refuse(9000001, 'page and size must be from 1');
		}
		const { maxSize, oversize } = this.rules;
		if (asked > maxSize && oversize === 'refuse') {
			return this.#refuse(9000001, `size must be at most ${maxSize}`);
		}
		const size = Math.min(asked, maxSize);
		const list = chosen(entries.slice((number - 1) * size, number * size)).map(shown);
		const echoed = oversize === 'clampAndEcho' ? size : asked;
		return page(list, { page: number, size: echoed, total: entries.length });
	}

	#preview(row: unknown): unknown {
		if (typeof row !== 'string') return row;
		return JSON.stringify(JSON.parse(row), (_key, value: unknown) =>
			typeof value === 'string' ? value.slice(0, this.rules.previewLength) : value,
		);
	}

	#newestFirst(taskID: unknown): ScriptedBatch[] {
		return this.batches.filter((batch) => batch.taskID === taskID).reverse();
	}

	#hasTask(taskID: unknown): boolean {
		return typeof taskID === 'string' && this.taskIDs.includes(taskID);
	}
}

/** The batch without its rows, which are read by themselves. */
export function onTheWire({ rows: _rows, ...batch }: ScriptedBatch): object {
	return batch;
}

/** The batch as the answer to its start had it, whatever has become of it since. */
export function asStarted(batch: ScriptedBatch): object {
	const counts = { lineCount: 0, duplicatedCount: 0, captchaCount: 0, ipProxyUsage: 0 };
	const times = { updateTime: batch.createTime, startTime: 0, endTime: 0, useTime: 0 };
	return { ...onTheWire(batch), ...counts, ...times, status: 1 };
}

/** Has a batch count its rows, also those that it gets later, until a test sets another number. */
function countRows(batch: ScriptedBatch): void {
	Object.defineProperty(batch, 'lineCount', {
		enumerable: true,
		configurable: true,
		get: () => batch.rows.length,
		set: (value: unknown) => {
			Object.defineProperty(batch, 'lineCount', { value, writable: true });
		},
	});
}

function keepNew(rows: readonly unknown[], seen: Set<string>): unknown[] {
	return rows.filter((row) => {
		const text = String(row);
		if (seen.has(text)) return false;
		seen.add(text);
		return true;
	});
}
