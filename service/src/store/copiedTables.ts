import { hash } from 'node:crypto';
import type { NamedTable } from './tableWords.ts';
import type { TaskText } from './taskStore.ts';

/** What stands in a column. */
export type Kind = 'bigint' | 'text' | 'bytea';

/** A table that is copied from one database to another, row by row. */
export interface CopiedTable {
	name: NamedTable;
	columns: Record<string, Kind>;
	/** A column in which numbers go on where those of the copy end. */
	numbered?: string;
}

/** The values of a row, in the order of the columns. */
export type CopiedRow = (bigint | string | Uint8Array)[];

/** Everything that a service keeps, but for the sessions of its console: who is there signs in again. */
export const copiedTables: readonly CopiedTable[] = [
	{
		name: 'batches',
		columns: {
			...{
				id: 'bigint',
				task_id: 'text',
				region: 'text',
				node_count: 'bigint',
				job_count: 'bigint',
			},
			...{ status: 'bigint', create_time: 'bigint', update_time: 'bigint', start_time: 'bigint' },
			...{
				end_time: 'bigint',
				run_time: 'bigint',
				line_count: 'bigint',
				duplicated_count: 'bigint',
			},
			...{ captcha_count: 'bigint', ip_proxy_usage: 'bigint', failed_pages: 'bigint' },
			...{ end_reason: 'text', request_id: 'text', fields: 'text', creation: 'bigint' },
		},
		numbered: 'creation',
	},
	{ name: 'started_tasks', columns: { batch_id: 'bigint', task: 'text' } },
	{ name: 'starts', columns: { batch_id: 'bigint', job_count: 'bigint', action_params: 'text' } },
	{
		name: 'jobs',
		columns: {
			...{ batch_id: 'bigint', number: 'bigint', first_item: 'bigint', end_item: 'bigint' },
			...{ done: 'bigint', row_count: 'bigint', claim: 'bigint', sent: 'text' },
		},
	},
	{
		name: 'rows',
		columns: {
			...{ batch_id: 'bigint', job: 'bigint', number: 'bigint' },
			...{ position: 'text', hash: 'bytea', content: 'text' },
		},
	},
	{
		name: 'failed_pages',
		columns: {
			...{ batch_id: 'bigint', job: 'bigint', position: 'text', what: 'text', address: 'text' },
			...{ reason: 'text', tries: 'bigint', time: 'bigint' },
		},
	},
	{
		name: 'selectors',
		columns: {
			...{ batch_id: 'bigint', step_id: 'text', field_id: 'text', selector: 'text', field: 'text' },
			...{ found: 'bigint', found_before: 'bigint', found_pages: 'bigint' },
			...{ empty_pages: 'bigint', first_empty: 'text' },
		},
	},
	{ name: 'step_pages', columns: { batch_id: 'bigint', step_id: 'text', kind: 'text' } },
	{
		name: 'batch_log',
		columns: {
			...{ batch_id: 'bigint', number: 'bigint', time: 'bigint' },
			...{ level: 'text', message: 'text', details: 'text' },
		},
	},
	{
		name: 'deduplications',
		columns: { id: 'text', memory: 'bigint', last_use: 'bigint' },
		numbered: 'memory',
	},
	{ name: 'returned_rows', columns: { memory: 'bigint', hash: 'bytea' } },
	{
		name: 'api_keys',
		columns: { id: 'bigint', name: 'text', hash: 'bytea', ending: 'text', create_time: 'bigint' },
		numbered: 'id',
	},
	{ name: 'api_key_uses', columns: { hash: 'bytea', time: 'bigint', request: 'text' } },
];

/** Where everything is copied from. */
export interface CopySource {
	/** The rows of a table, one after the other. */
	rows(table: CopiedTable): Iterable<CopiedRow>;
	/** What the API key that was made up is recognised by, if one was. */
	keptKey: { hash: Uint8Array; ending: string } | undefined;
	tasks: TaskText[];
	/** By which a copy of it is known: a hash of the ids of its batches. */
	name: string;
	/** Whether it has batches that have not ended: they go on in the copy. */
	goesOn: boolean;
	/** Whether an earlier copy of it to the same place was broken off at its end. */
	wasBrokenOff: boolean;
	/** All of it has been read, and is about to have arrived. */
	complete(): void;
}

/** What is wrong with a source, for people. */
export class UnreadableSource extends Error {}

/** A source that has been copied before: nothing was copied now. */
export class CopiedBefore extends Error {}

/** A copy of whose end nothing was heard: all of it has arrived, or nothing. */
export class PerhapsCopied extends Error {}

/** What was copied, and found equal: rows by their table. */
export interface Copied {
	counts: Map<string, number>;
	/** Batches whose rows were compared, each for itself. */
	batches: number;
}

/** The sum of some rows: the same for the same rows, in whatever order. */
interface Sum {
	count: number;
	hashes: bigint;
}

const maxSum = 2n ** 256n;

/** Sums up the rows of a table, those of each batch for itself. */
export class TableSums {
	readonly #table: CopiedTable;
	readonly #sums = new Map<string, Sum>();

	constructor(table: CopiedTable) {
		this.#table = table;
	}

	get count(): number {
		return [...this.#sums.values()].reduce((sum, { count }) => sum + count, 0);
	}

	/** How many batches there are rows of. */
	get batches(): number {
		return this.#sums.size;
	}

	add(row: readonly unknown[]): void {
		const texts = row.map((value) =>
			value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
		);
		const digest = BigInt(`0x${hash('sha256', JSON.stringify(texts))}`);
		const batch = Object.keys(this.#table.columns)[0] === 'batch_id' ? (texts[0] ?? '') : '';
		const { count, hashes } = this.#sums.get(batch) ?? { count: 0, hashes: 0n };
		this.#sums.set(batch, { count: count + 1, hashes: (hashes + digest) % maxSum });
	}

	/** Says, for people, in what these are others; undefined: in nothing. */
	differenceTo(others: TableSums): string | undefined {
		for (const batch of new Set([...this.#sums.keys(), ...others.#sums.keys()])) {
			const one = this.#sums.get(batch);
			const other = others.#sums.get(batch);
			if (one?.count === other?.count && one?.hashes === other?.hashes) continue;
			const of = batch === '' ? '' : ` of batch ${batch}`;
			return `${this.#table.name}${of}: ${one?.count ?? 0} rows were read, ${other?.count ?? 0} arrived${one?.count === other?.count ? ', with other values' : ''}`;
		}
		return undefined;
	}
}
