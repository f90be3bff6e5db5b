import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { batchFrom, status, type Batch, type EndStatus } from './batch.ts';
import { bigintIn, numberIn, textIn, type Columns } from './columns.ts';
import { transaction } from './database.ts';
import { identifierKey } from '../text/identifierKey.ts';
import { identifierAfter, identifierLimit } from './identifiers.ts';

/** What a new batch is made of. `task` is the task as it is started, as JSON. */
export interface NewBatch {
	taskID: string;
	task: string;
	region: string;
	nodeCount: number;
	requestID: string;
	fields: Batch['fields'];
	jobs: { first: number; end: number }[];
	/** Absent: there is no telling what it was started with. */
	start?: Start;
}

/** What a start has asked for that a batch does not tell (section 4.1). */
export interface Start {
	/** Jobs at most. */
	jobCount: number;
	/** Empty: the values of the task. */
	actionParams: string;
}

/** Characters of the reason why a batch ended. */
const maxReason = 2_000;

/** The orders of section 4.3, each an index of the table. Ties are broken by creation. */
const orders = [
	'creation DESC',
	'run_time DESC, creation DESC',
	'line_count DESC, creation DESC',
] as const;

/** The batches, their state and the tasks that the unfinished ones run. */
export class BatchStore {
	readonly #database: DatabaseSync;
	readonly #largeIdentifiers: boolean;
	readonly #listings: StatementSync[];
	readonly #find: StatementSync;
	readonly #startedBy: StatementSync;
	readonly #toStop: StatementSync;
	readonly #count: StatementSync;
	readonly #taskIDs: StatementSync;
	readonly #noteRunTime: StatementSync;
	/** When running batches would have begun by a clock that only goes on, in milliseconds. */
	readonly #begun = new Map<bigint, number>();

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
			'SELECT * FROM batches WHERE task_id = ? AND status IN (1, 2) ORDER BY status DESC, creation DESC LIMIT 1',
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

	/** The path of the database, for messages. */
	get location(): string {
		return this.#database.location() ?? 'in memory';
	}

	/** Stores a waiting batch with its jobs. Identifiers grow, also over restarts. */
	create(batch: NewBatch): Batch {
		return transaction(this.#database, () => {
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
			return this.get(id);
		});
	}

	find(id: bigint): Batch | undefined {
		const columns = this.#find.get(id);
		return columns && this.#batchFrom(columns);
	}

	/** The batch of an identifier that is known to exist. */
	get(id: bigint): Batch {
		const batch = this.find(id);
		if (!batch) throw new Error(`There is no batch ${id}.`);
		return batch;
	}

	/** What a batch was started with; undefined for those of earlier versions. */
	startOf(id: bigint): Start | undefined {
		const columns = this.#database.prepare('SELECT * FROM starts WHERE batch_id = ?').get(id);
		return (
			columns && {
				jobCount: numberIn(columns, 'job_count'),
				actionParams: textIn(columns, 'action_params'),
			}
		);
	}

	/** One page of a task's batches; `order` is the specification's `orderBy` (section 4.3). */
	list(taskID: string, order: number, window: { offset: number; size: number }): Batch[] {
		const listing = this.#listings[order];
		if (!listing) throw new RangeError(`There is no order ${order}.`);
		const id = identifierKey(taskID);
		if (order === 1) this.#noteRunTimes(id);
		return listing.all(id, window.size, window.offset).map((each) => this.#batchFrom(each));
	}

	count(taskID: string): number {
		return numberIn(this.#count.get(identifierKey(taskID)), 'count');
	}

	/** The batch of a task that the request of this id has started. */
	startedBy(taskID: string, requestID: string): Batch | undefined {
		const columns = this.#startedBy.get(identifierKey(taskID), requestID);
		return columns && this.#batchFrom(columns);
	}

	/** The tasks that have batches, those with the newest ones first. */
	taskIDs(): string[] {
		return this.#taskIDs.all().map((columns) => textIn(columns, 'task_id'));
	}

	/** The batch that a stop of its task means: the running one, else a waiting one, the newest of several. */
	toStop(taskID: string): Batch | undefined {
		const columns = this.#toStop.get(identifierKey(taskID));
		return columns && this.#batchFrom(columns);
	}

	/** Batches that wait or run, oldest first, each with its task's JSON. */
	unfinished(): { batch: Batch; task: string }[] {
		return this.#reading(
			`SELECT batches.*, started_tasks.task FROM batches JOIN started_tasks ON batch_id = batches.id
			WHERE status IN (1, 2) ORDER BY creation`,
		)
			.all()
			.map((columns) => ({ batch: this.#batchFrom(columns), task: textIn(columns, 'task') }));
	}

	/** A waiting batch gets its first agent. */
	markRunning(id: bigint): void {
		const now = Date.now();
		this.#database
			.prepare(
				'UPDATE batches SET status = ?, start_time = ?, update_time = ? WHERE id = ? AND status = ?',
			)
			.run(status.running, now, now, id, status.waiting);
		this.#begun.set(id, performance.now());
	}

	/** Ends a waiting or running batch, one that cannot go on with the reason; an ended one stays as it is. */
	end(id: bigint, how: EndStatus, reason = ''): Batch {
		return transaction(this.#database, () => {
			const now = Date.now();
			const { runTime } = this.get(id);
			// Also where the clock was set back meanwhile, nothing ends before it has begun.
			this.#database
				.prepare(
					`UPDATE batches SET status = ?, end_time = max(?, start_time), update_time = ?, end_reason = ?, run_time = ?
					WHERE id = ? AND status IN (1, 2)`,
				)
				.run(how, now, now, reason.slice(0, maxReason), runTime, id);
			this.#database.prepare('DELETE FROM started_tasks WHERE batch_id = ?').run(id);
			this.#begun.delete(id);
			return this.get(id);
		});
	}

	/** A batch with its running time: of one that runs, up to now. */
	#batchFrom(columns: Columns): Batch {
		const batch = batchFrom(columns);
		if (batch.status !== status.running) return batch;
		// What an earlier process has begun is known by the clock of the wall alone.
		const before = performance.now() - Math.max(0, Date.now() - batch.startTime);
		const begun = this.#begun.get(batch.id) ?? before;
		this.#begun.set(batch.id, begun);
		return { ...batch, runTime: Math.round(performance.now() - begun) };
	}

	/** The order by running time is that of what is stored. Where that cannot be written, it is an earlier one. */
	#noteRunTimes(taskID: string): void {
		try {
			for (const [id, begun] of this.#begun) {
				this.#noteRunTime.run(Math.round(performance.now() - begun), id, taskID);
			}
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
