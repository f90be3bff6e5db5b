import type { Batch } from '../batch.ts';
import { PassedOn, type Claim } from '../claim.ts';
import { numberIn, textIn } from '../columns.ts';
import { hashOf, jobRowsFrom, partsOf, readableJobs, sliceLength } from '../rowStore.ts';
import type { JobRows, NewRow, RowStore, RowWindow } from '../rowStore.ts';
import { now, type Connections } from './connections.ts';

export class PostgresRowStore implements RowStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async append(claim: Claim, rows: NewRow[], firstItem?: number): Promise<number> {
		if (rows.length === 0) return -1;
		const [columns] = await this.#database.query(
			`SELECT append_rows($1, $2, $3, $4, $5, $6, ${now}, $7) AS highest, refuse_triggers()`,
			claim.batchID,
			claim.job,
			claim.number,
			rows.map(({ position }) => position),
			rows.map(({ content }) => hashOf(content)),
			rows.map(({ content }) => content),
			firstItem ?? null,
		);
		if (columns?.highest === null) throw new PassedOn(claim);
		return numberIn(columns, 'highest');
	}

	async count(batch: Batch): Promise<number> {
		const jobs = await this.#readableJobs(batch);
		return jobs.reduce((sum, { rowCount }) => sum + rowCount, 0);
	}

	async read(batch: Batch, window: RowWindow, maxCharacters = sliceLength): Promise<string[]> {
		const rows: string[] = [];
		let left = maxCharacters;
		for (const { job, from, to } of partsOf(window, await this.#readableJobs(batch))) {
			const some = await this.#readPart(batch.id, { job, from, to }, left);
			rows.push(...some);
			left -= some.reduce((sum, row) => sum + row.length, 0);
			// What is cut off is that of a later call.
			if (left <= 0 || some.length < to - from) break;
		}
		return rows;
	}

	/** What rows are long is known without reading them: a row begins within the bytes that may be read. */
	async #readPart(
		batchID: bigint,
		{ job, from, to }: { job: number; from: number; to: number },
		most: number,
	): Promise<string[]> {
		const found = await this.#database.query(
			`SELECT number, content FROM (
				SELECT number, content, sum(octet_length(content)) OVER (ORDER BY number) - octet_length(content) AS before
				FROM rows WHERE batch_id = $1 AND job = $2 AND number >= $3 AND number < $4
			) AS sized WHERE before < $5 ORDER BY number`,
			batchID,
			job,
			from,
			to,
			Math.min(most, Number.MAX_SAFE_INTEGER),
		);
		const gap = found.findIndex((columns, index) => numberIn(columns, 'number') !== from + index);
		const whole = gap === -1 ? found : found.slice(0, gap);
		return whole.map((columns) => textIn(columns, 'content'));
	}

	async #readableJobs(batch: Batch): Promise<JobRows[]> {
		const jobs = await this.#database.query(
			'SELECT number, done, row_count FROM jobs WHERE batch_id = $1 ORDER BY number',
			batch.id,
		);
		return readableJobs(batch, jobs.map(jobRowsFrom));
	}
}
