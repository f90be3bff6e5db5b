import { identifierKey } from '../../text/identifierKey.ts';
import { batchFrom, FieldsOfPage, status, unfinishedColumns, unfinishedFrom } from '../batch.ts';
import type { Batch, EndStatus, UnfinishedBatch } from '../batch.ts';
import { maxReason, orders, startFrom } from '../batchStore.ts';
import type { BatchStore, NewBatch, SeededBatch, Start } from '../batchStore.ts';
import { bigintIn, numberIn, textIn, type Columns } from '../columns.ts';
import { identifierAfter, identifierLimit } from '../identifiers.ts';
import { RunTimes } from '../runTimes.ts';
import { endsChannel } from './batchNews.ts';
import { clockOf, now, type Connections, type Query } from './connections.ts';
import { seedBatch } from './seedBatch.ts';
import type { PostgresTickets } from './tickets.ts';

/** What a batch is read with: its columns, of which PostgreSQL names one that is missing, and when that was. */
const columnsOfBatch = `id, task_id, region, node_count, job_count, status, create_time, update_time, start_time,
	end_time, run_time, line_count, duplicated_count, captcha_count, ip_proxy_usage, failed_pages, end_reason,
	request_id, fields, ${now} AS now`;

/** The advisory lock of who stores a new batch: identifiers grow in the order of their creation. */
const creationLock = -1;

export class PostgresBatchStore implements BatchStore {
	readonly #database: Connections;
	readonly #largeIdentifiers: boolean;
	readonly #tickets: PostgresTickets;
	readonly #runTimes = new RunTimes();

	/** `largeIdentifiers`: those of new batches are larger than a number of JavaScript holds exactly. */
	constructor(database: Connections, tickets: PostgresTickets, { largeIdentifiers = false } = {}) {
		this.#database = database;
		this.#tickets = tickets;
		this.#largeIdentifiers = largeIdentifiers;
	}

	create(batch: NewBatch): Promise<Batch> {
		return this.#alone(async (query) => {
			const started =
				batch.once === true && (await this.#startedBy(query, batch.taskID, batch.requestID));
			return started || this.#create(query, batch);
		});
	}

	/** A transaction while which nobody else stores a new batch. */
	#alone<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
		return this.#database.transaction(async (query) => {
			await query('SELECT pg_advisory_xact_lock($1)', creationLock);
			return await work(query);
		});
	}

	seed(batches: SeededBatch[]): Promise<bigint[]> {
		return this.#alone(async (query) => {
			const ids: bigint[] = [];
			for (const batch of batches) {
				ids.push(await seedBatch(query, await this.#nextIdentifier(query), batch));
			}
			return ids;
		});
	}

	find(id: bigint): Promise<Batch | undefined> {
		return this.#find(this.#database.query, id);
	}

	get(id: bigint): Promise<Batch> {
		return this.#get(this.#database.query, id);
	}

	async startOf(id: bigint): Promise<Start | undefined> {
		const [columns] = await this.#database.query(
			'SELECT job_count, action_params FROM starts WHERE batch_id = $1',
			id,
		);
		return columns && startFrom(columns);
	}

	async list(
		taskID: string,
		order: number,
		{ offset, size }: { offset: number; size: number },
		maxBytes?: number,
	): Promise<Batch[]> {
		const { query } = this.#database;
		const sql = orders[order];
		if (sql === undefined) throw new RangeError(`There is no order ${order}.`);
		const id = identifierKey(taskID);
		// The order by running time is that of what is stored. Where that cannot be written, it is an earlier one.
		if (order === 1) await this.#noteRunTimes(id).catch(() => undefined);
		const found = await query(
			`SELECT ${columnsOfBatch} FROM (
				SELECT *, sum(octet_length(fields)) OVER (ORDER BY ${sql}) - octet_length(fields) AS bytes_before
				FROM (SELECT * FROM batches WHERE task_id = $1 ORDER BY ${sql} LIMIT $2 OFFSET $3) AS page
			) AS sized WHERE bytes_before <= $4 ORDER BY ${sql}`,
			id,
			size,
			offset,
			maxBytes ?? Number.MAX_SAFE_INTEGER,
		);
		const page = maxBytes === undefined ? undefined : new FieldsOfPage(maxBytes);
		const last = found.findIndex((columns) => page?.isFullWith(textIn(columns, 'fields')));
		const there = last < 0 ? found : found.slice(0, last + 1);
		return there.map((columns) => this.#batchFrom(columns));
	}

	async count(taskID: string): Promise<number> {
		const [columns] = await this.#database.query(
			'SELECT count(*) AS count FROM batches WHERE task_id = $1',
			identifierKey(taskID),
		);
		return numberIn(columns, 'count');
	}

	startedBy(taskID: string, requestID: string): Promise<Batch | undefined> {
		return this.#startedBy(this.#database.query, taskID, requestID);
	}

	async taskIDs(): Promise<string[]> {
		// One step through the index for each task, however many batches it has.
		const found = await this.#database.query(
			`WITH RECURSIVE tasks (task_id) AS (
				SELECT min(task_id) FROM batches
				UNION ALL
				SELECT (SELECT min(task_id) FROM batches WHERE task_id > tasks.task_id) FROM tasks WHERE task_id IS NOT NULL
			)
			SELECT task_id FROM tasks WHERE task_id IS NOT NULL
			ORDER BY (SELECT max(creation) FROM batches WHERE batches.task_id = tasks.task_id) DESC`,
		);
		return found.map((columns) => textIn(columns, 'task_id'));
	}

	now(): Promise<number> {
		return clockOf(this.#database);
	}

	async toStop(taskID: string, latest: number): Promise<Batch | undefined> {
		const [columns] = await this.#database.query(
			`SELECT ${columnsOfBatch} FROM batches
			WHERE task_id = $1 AND status IN (1, 2) AND (create_time <= $2::double precision OR create_time > ${now})
			ORDER BY status DESC, creation DESC LIMIT 1`,
			identifierKey(taskID),
			latest,
		);
		return columns && this.#batchFrom(columns);
	}

	async unfinished(): Promise<UnfinishedBatch[]> {
		const found = await this.#database.query(
			`SELECT ${unfinishedColumns} FROM batches JOIN started_tasks ON batch_id = batches.id
			WHERE status IN (1, 2) ORDER BY creation`,
		);
		return found.map(unfinishedFrom);
	}

	async withTask(id: bigint): Promise<{ batch: Batch; task: string } | undefined> {
		const [columns] = await this.#database.query(
			`SELECT ${columnsOfBatch}, started_tasks.task FROM batches JOIN started_tasks ON batch_id = batches.id
			WHERE status IN (1, 2) AND batches.id = $1`,
			id,
		);
		return columns && { batch: this.#batchFrom(columns), task: textIn(columns, 'task') };
	}

	async markRunning(id: bigint): Promise<boolean> {
		const { query } = this.#database;
		const begun = await query(
			`UPDATE batches SET status = 2, start_time = given.now, update_time = given.now
			FROM (SELECT ${now} AS now) AS given WHERE id = $1 AND status = 1 RETURNING id`,
			id,
		);
		if (begun.length > 0) this.#runTimes.begin(id);
		return (await this.find(id))?.status === status.running;
	}

	async countProxied(id: bigint): Promise<void> {
		await this.#database.query(
			'UPDATE batches SET ip_proxy_usage = ip_proxy_usage + 1 WHERE id = $1',
			id,
		);
	}

	end(id: bigint, how: EndStatus, reason = ''): Promise<Batch | undefined> {
		return this.#database.transaction(async (query) => {
			const before = await this.#find(query, id);
			if (!before) return undefined;
			// Also where the clock was set back meanwhile, nothing ends before it has begun.
			const [ended] = await query(
				`UPDATE batches SET status = $2, end_time = greatest(given.now, start_time), update_time = given.now,
				end_reason = $3, run_time = $4
				FROM (SELECT ${now} AS now) AS given WHERE id = $1 AND status IN (1, 2) RETURNING id`,
				id,
				how,
				reason.slice(0, maxReason),
				before.runTime,
			);
			if (!ended) return undefined;
			await query('SELECT pg_notify($1, $2)', endsChannel, String(id));
			await query('UPDATE jobs SET claim = claim + 1 WHERE batch_id = $1', id);
			const [started] = await query(
				'DELETE FROM started_tasks WHERE batch_id = $1 RETURNING task, tickets',
				id,
			);
			const batch = await this.#get(query, id);
			if (started) await this.#tickets.remove(query, batch.region, started);
			return batch;
		});
	}

	async #create(query: Query, batch: NewBatch): Promise<Batch> {
		const id = await this.#nextIdentifier(query);
		const [created] = await query(
			`INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, request_id, fields)
			SELECT $1, $2, $3, $4, $5, 1, given.now, given.now, $6, $7 FROM (SELECT ${now} AS now) AS given
			RETURNING ${columnsOfBatch}`,
			id,
			identifierKey(batch.taskID),
			batch.region,
			batch.nodeCount,
			batch.jobs.length,
			batch.requestID,
			JSON.stringify(batch.fields),
		);
		await query('INSERT INTO started_tasks (batch_id, task) VALUES ($1, $2)', id, batch.task);
		if (batch.start) {
			await query(
				'INSERT INTO starts (batch_id, job_count, action_params) VALUES ($1, $2, $3)',
				id,
				batch.start.jobCount,
				batch.start.actionParams,
			);
		}
		await query(
			`INSERT INTO jobs (batch_id, number, first_item, end_item)
			SELECT $1, place - 1, first, "end" FROM unnest($2::integer[], $3::integer[])
			WITH ORDINALITY AS given (first, "end", place)`,
			id,
			batch.jobs.map(({ first }) => first),
			batch.jobs.map(({ end }) => end),
		);
		const { region, nodeCount, task } = batch;
		await this.#tickets.put(query, { id, region, nodeCount, jobs: batch.jobs.length, task });
		return this.#batchFrom(created ?? {});
	}

	async #find(query: Query, id: bigint): Promise<Batch | undefined> {
		const [columns] = await query(`SELECT ${columnsOfBatch} FROM batches WHERE id = $1`, id);
		return columns && this.#batchFrom(columns);
	}

	async #get(query: Query, id: bigint): Promise<Batch> {
		const batch = await this.#find(query, id);
		if (!batch) throw new Error(`There is no batch ${id}.`);
		return batch;
	}

	async #startedBy(query: Query, taskID: string, requestID: string): Promise<Batch | undefined> {
		const [columns] = await query(
			`SELECT ${columnsOfBatch} FROM batches WHERE task_id = $1 AND request_id = $2
			ORDER BY creation DESC LIMIT 1`,
			identifierKey(taskID),
			requestID,
		);
		return columns && this.#batchFrom(columns);
	}

	async #noteRunTimes(taskID: string): Promise<void> {
		await this.#database.query(
			`UPDATE batches SET run_time = greatest(${now} - start_time, 0) WHERE task_id = $1 AND status = 2`,
			taskID,
		);
	}

	async #nextIdentifier(query: Query): Promise<bigint> {
		const [newest] = await query(
			`SELECT coalesce(max(id), 0) AS id, ${now} AS now FROM batches WHERE id < $1`,
			identifierLimit(this.#largeIdentifiers),
		);
		return identifierAfter(bigintIn(newest, 'id'), numberIn(newest, 'now'), this.#largeIdentifiers);
	}

	#batchFrom(columns: Columns): Batch {
		return this.#runTimes.in(batchFrom(columns), numberIn(columns, 'now'));
	}
}
