import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { identifierKey } from '../../text/identifierKey.ts';
import { batchFrom, FieldsOfPage, status, unfinishedColumns, unfinishedFrom } from '../batch.ts';
import type { Batch, EndStatus, UnfinishedBatch } from '../batch.ts';
import { maxReason, orders, startFrom } from '../batchStore.ts';
import type { BatchStore, NewBatch, SeededBatch, Start } from '../batchStore.ts';
import { bigintIn, numberIn, textIn, type Columns } from '../columns.ts';
import { identifierAfter, identifierLimit } from '../identifiers.ts';
import { RunTimes } from '../runTimes.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';
import { seedBatch } from './seedBatch.ts';

export class SqliteBatchStore implements BatchStore {
	readonly #database: DatabaseSync;
	readonly #largeIdentifiers: boolean;
	readonly #listings: StatementSync[];
	readonly #find: StatementSync;
	readonly #startedBy: StatementSync;
	readonly #toStop: StatementSync;
	readonly #count: StatementSync;
	readonly #taskIDs: StatementSync;
	readonly #noteRunTime: StatementSync;
	readonly #runTimes = new RunTimes();

	/** `largeIdentifiers`: those of new batches are larger than a number of JavaScript holds exactly. */
	constructor(database: DatabaseSync, { largeIdentifiers = false } = {}) {
		this.#database = database;
		this.#largeIdentifiers = largeIdentifiers;
		this.#listings = orders.map((order) =>
			this.#reading(`SELECT * FROM batches WHERE task_id = ? ORDER BY ${order} LIMIT ? OFFSET ?`),
		);
		this.#find = this.#reading('SELECT * FROM batches WHERE id = ?');
		this.#startedBy = this.#reading(
			'SELECT * FROM batches WHERE task_id = ? AND request_id = ? ORDER BY creation DESC LIMIT 1',
		);
		this.#toStop = this.#reading(
			`SELECT * FROM batches WHERE task_id = ?1 AND status IN (1, 2) AND (create_time <= ?2 OR create_time > ?3)
			ORDER BY status DESC, creation DESC LIMIT 1`,
		);
		this.#count = database.prepare('SELECT count(*) AS count FROM batches WHERE task_id = ?');
		// One step through the index for each task, however many batches it has.
		this.#taskIDs = database.prepare(
			`WITH RECURSIVE tasks (task_id) AS (
				SELECT min(task_id) FROM batches
				UNION ALL
				SELECT (SELECT min(task_id) FROM batches WHERE task_id > tasks.task_id) FROM tasks WHERE task_id IS NOT NULL
			)
			SELECT task_id FROM tasks WHERE task_id IS NOT NULL
			ORDER BY (SELECT max(creation) FROM batches WHERE batches.task_id = tasks.task_id) DESC`,
		);
		this.#noteRunTime = database.prepare(
			'UPDATE batches SET run_time = ? WHERE id = ? AND task_id = ?',
		);
	}

	create(batch: NewBatch): Promise<Batch> {
		return promised(() => transaction(this.#database, () => this.#create(batch)));
	}

	seed(batches: SeededBatch[]): Promise<bigint[]> {
		return promised(() =>
			transaction(this.#database, () =>
				batches.map((batch) => seedBatch(this.#database, this.#nextIdentifier(Date.now()), batch)),
			),
		);
	}

	find(id: bigint): Promise<Batch | undefined> {
		return promised(() => this.#found(id));
	}

	get(id: bigint): Promise<Batch> {
		return promised(() => this.#existing(id));
	}

	startOf(id: bigint): Promise<Start | undefined> {
		return promised(() => {
			const columns = this.#reading('SELECT * FROM starts WHERE batch_id = ?').get(id);
			return columns && startFrom(columns);
		});
	}

	list(
		taskID: string,
		order: number,
		{ offset, size }: { offset: number; size: number },
		maxBytes?: number,
	): Promise<Batch[]> {
		return promised(() => {
			const listing = this.#listings[order];
			if (!listing) throw new RangeError(`There is no order ${order}.`);
			const id = identifierKey(taskID);
			if (order === 1) this.#noteRunTimes(id);
			const batches: Batch[] = [];
			const page = maxBytes === undefined ? undefined : new FieldsOfPage(maxBytes);
			for (const columns of listing.iterate(id, size, offset)) {
				batches.push(this.#batchFrom(columns));
				if (page?.isFullWith(textIn(columns, 'fields'))) break;
			}
			return batches;
		});
	}

	count(taskID: string): Promise<number> {
		return promised(() => numberIn(this.#count.get(identifierKey(taskID)), 'count'));
	}

	startedBy(taskID: string, requestID: string): Promise<Batch | undefined> {
		return promised(() => this.#startedAlready(taskID, requestID));
	}

	taskIDs(): Promise<string[]> {
		return promised(() => this.#taskIDs.all().map((columns) => textIn(columns, 'task_id')));
	}

	now(): Promise<number> {
		return promised(() => Date.now());
	}

	toStop(taskID: string, latest: number): Promise<Batch | undefined> {
		return promised(() => {
			const columns = this.#toStop.get(identifierKey(taskID), latest, Date.now());
			return columns && this.#batchFrom(columns);
		});
	}

	unfinished(): Promise<UnfinishedBatch[]> {
		return promised(() =>
			this.#reading(
				`SELECT ${unfinishedColumns} FROM batches JOIN started_tasks ON batch_id = batches.id
				WHERE status IN (1, 2) ORDER BY creation`,
			)
				.all()
				.map(unfinishedFrom),
		);
	}

	withTask(id: bigint): Promise<{ batch: Batch; task: string } | undefined> {
		return promised(() => {
			const columns = this.#reading(
				`SELECT batches.*, started_tasks.task FROM batches JOIN started_tasks ON batch_id = batches.id
				WHERE status IN (1, 2) AND batches.id = ?`,
			).get(id);
			return columns && { batch: this.#batchFrom(columns), task: textIn(columns, 'task') };
		});
	}

	markRunning(id: bigint): Promise<boolean> {
		return promised(() => {
			const now = Date.now();
			const { changes } = this.#database
				.prepare(
					'UPDATE batches SET status = ?, start_time = ?, update_time = ? WHERE id = ? AND status = ?',
				)
				.run(status.running, now, now, id, status.waiting);
			if (changes > 0) this.#runTimes.begin(id);
			return this.#found(id)?.status === status.running;
		});
	}

	countProxied(id: bigint): Promise<void> {
		return promised(() => {
			this.#database
				.prepare('UPDATE batches SET ip_proxy_usage = ip_proxy_usage + 1 WHERE id = ?')
				.run(id);
		});
	}

	end(id: bigint, how: EndStatus, reason = ''): Promise<Batch | undefined> {
		return promised(() =>
			transaction(this.#database, () => {
				const now = Date.now();
				const before = this.#found(id);
				if (!before) return undefined;
				// Also where the clock was set back meanwhile, nothing ends before it has begun.
				const { changes } = this.#database
					.prepare(
						`UPDATE batches SET status = ?, end_time = max(?, start_time), update_time = ?, end_reason = ?, run_time = ?
						WHERE id = ? AND status IN (1, 2)`,
					)
					.run(how, now, now, reason.slice(0, maxReason), before.runTime, id);
				if (changes === 0) return undefined;
				this.#database.prepare('UPDATE jobs SET claim = claim + 1 WHERE batch_id = ?').run(id);
				this.#database.prepare('DELETE FROM started_tasks WHERE batch_id = ?').run(id);
				return this.#existing(id);
			}),
		);
	}

	#create(batch: NewBatch): Batch {
		const started = batch.once && this.#startedAlready(batch.taskID, batch.requestID);
		if (started) return started;
		const now = Date.now();
		const id = this.#nextIdentifier(now);
		this.#database
			.prepare(
				`INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, request_id, fields, creation)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(creation), 0) + 1 FROM batches))`,
			)
			.run(
				id,
				identifierKey(batch.taskID),
				batch.region,
				batch.nodeCount,
				batch.jobs.length,
				status.waiting,
				now,
				now,
				batch.requestID,
				JSON.stringify(batch.fields),
			);
		this.#database
			.prepare('INSERT INTO started_tasks (batch_id, task) VALUES (?, ?)')
			.run(id, batch.task);
		if (batch.start) {
			this.#database
				.prepare('INSERT INTO starts (batch_id, job_count, action_params) VALUES (?, ?, ?)')
				.run(id, batch.start.jobCount, batch.start.actionParams);
		}
		const job = this.#database.prepare(
			'INSERT INTO jobs (batch_id, number, first_item, end_item) VALUES (?, ?, ?, ?)',
		);
		batch.jobs.forEach(({ first, end }, number) => job.run(id, number, first, end));
		return this.#existing(id);
	}

	#startedAlready(taskID: string, requestID: string): Batch | undefined {
		const columns = this.#startedBy.get(identifierKey(taskID), requestID);
		return columns && this.#batchFrom(columns);
	}

	#found(id: bigint): Batch | undefined {
		const columns = this.#find.get(id);
		return columns && this.#batchFrom(columns);
	}

	#existing(id: bigint): Batch {
		const batch = this.#found(id);
		if (!batch) throw new Error(`There is no batch ${id}.`);
		return batch;
	}

	#batchFrom(columns: Columns): Batch {
		return this.#runTimes.in(batchFrom(columns));
	}

	/** The order by running time is that of what is stored. Where that cannot be written, it is an earlier one. */
	#noteRunTimes(taskID: string): void {
		try {
			for (const [id, time] of this.#runTimes.now()) this.#noteRunTime.run(time, id, taskID);
		} catch {
			// Reading goes on.
		}
	}

	#reading(sql: string): StatementSync {
		const statement = this.#database.prepare(sql);
		statement.setReadBigInts(true);
		return statement;
	}

	#nextIdentifier(now: number): bigint {
		const newest = this.#reading('SELECT coalesce(max(id), 0) AS id FROM batches WHERE id < ?').get(
			identifierLimit(this.#largeIdentifiers),
		);
		return identifierAfter(bigintIn(newest, 'id'), now, this.#largeIdentifiers);
	}
}
