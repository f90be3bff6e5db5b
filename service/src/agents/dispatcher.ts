import type { FastifyBaseLogger } from 'fastify';
import { status, type Batch } from '../store/batch.ts';
import type { BatchStore } from '../store/batchStore.ts';
import type { Job, JobStore } from '../store/jobStore.ts';
import type { RowStore } from '../store/rowStore.ts';
import { checkTask } from '../tasks/checkTask.ts';
import type { Task } from '../tasks/task.ts';
import { Agent } from './agent.ts';
import type { Page } from '../pages/page.ts';

export interface DispatcherParts {
	batches: BatchStore;
	jobs: JobStore;
	rows: RowStore;
	/** Agents at once over all batches. */
	agents: number;
	log: FastifyBaseLogger;
	/** Whether there is what a kind of page needs; batches of tasks with another kind wait. */
	canOpen(kind: Task['page']): boolean;
	openPage(kind: Task['page'], signal: AbortSignal): Page;
	/** Is told what no agent can get over, such as a full disk. */
	onFatal(error: unknown): void;
}

interface Run {
	batch: Batch;
	task: Task;
	waiting: Job[];
	working: number;
	end: AbortController;
	log: FastifyBaseLogger;
}

/**
 * Gives the jobs of all unfinished batches to agents: at most `nodeCount` for a batch and `agents`
 * over all. A free agent goes to the batch that has the fewest, the oldest of those.
 */
export class Dispatcher {
	readonly #parts: DispatcherParts;
	readonly #runs = new Map<bigint, Run>();
	readonly #agents = new Set<Promise<void>>();
	#site: string | undefined;

	constructor(parts: DispatcherParts) {
		this.#parts = parts;
	}

	/** Starts working, with the batches that an earlier process left unfinished. `site`: `{site}`. */
	begin(site: string): void {
		this.#site = site;
		for (const { batch, task } of this.#parts.batches.unfinished()) {
			this.add(batch, checkTask(JSON.parse(task)));
		}
	}

	/** Takes over a waiting or running batch. */
	add(batch: Batch, task: Task): void {
		const log = this.#parts.log.child({
			batchID: String(batch.id),
			taskID: batch.taskID,
			requestID: batch.requestID,
		});
		const waiting = this.#parts.jobs.unfinished(batch.id);
		const run = { batch, task, waiting, working: 0, end: new AbortController(), log };
		this.#runs.set(batch.id, run);
		log.info({ jobs: waiting.length }, 'batch waiting');
		if (waiting.length === 0) this.#finish(run);
		else if (!this.#parts.canOpen(task.page)) {
			log.warn({ page: task.page }, 'batch waits: its kind of page cannot be opened here');
		}
		this.#dispatch();
	}

	/** Calls off the agents of a batch that was stopped. */
	stop(batchID: bigint): void {
		const run = this.#runs.get(batchID);
		if (!run) return;
		this.#runs.delete(batchID);
		run.end.abort();
		run.log.info('batch stopped');
	}

	/** Calls off all agents and waits for them; their batches go on at the next `begin`. */
	async close(): Promise<void> {
		this.#site = undefined;
		for (const { end } of this.#runs.values()) end.abort();
		this.#runs.clear();
		await Promise.all(this.#agents);
	}

	#dispatch(): void {
		while (this.#site !== undefined && this.#agents.size < this.#parts.agents) {
			const run = this.#neediest();
			const job = run?.waiting.shift();
			if (!run || !job) return;
			const agent = this.#work(run, job, this.#site)
				.catch((error: unknown) => this.#parts.onFatal(error))
				.finally(() => {
					this.#agents.delete(agent);
					this.#dispatch();
				});
			this.#agents.add(agent);
		}
	}

	#neediest(): Run | undefined {
		return [...this.#runs.values()]
			.filter(({ waiting, working, batch }) => waiting.length > 0 && working < batch.nodeCount)
			.filter(({ task }) => this.#parts.canOpen(task.page))
			.reduce<Run | undefined>(
				(least, run) => (least && least.working <= run.working ? least : run),
				undefined,
			);
	}

	async #work(run: Run, job: Job, site: string): Promise<void> {
		const { batches, jobs } = this.#parts;
		const log = run.log.child({ job: job.number });
		run.working += 1;
		if (run.batch.status === status.waiting) {
			run.batch = { ...run.batch, status: status.running };
			batches.markRunning(run.batch.id);
			log.info('batch running');
		}
		try {
			await this.#scrape(run, job, site, log);
			log.info('job done');
		} catch (error) {
			if (run.end.signal.aborted) return;
			if (error instanceof StoreError) throw error;
			log.error(error, 'job failed, skipped');
		} finally {
			run.working -= 1;
		}
		jobs.markDone(run.batch.id, job.number);
		if (run.waiting.length === 0 && run.working === 0) this.#finish(run);
	}

	async #scrape(run: Run, job: Job, site: string, log: FastifyBaseLogger): Promise<void> {
		const { jobs, rows } = this.#parts;
		const { signal } = run.end;
		const page = this.#parts.openPage(run.task.page, signal);
		try {
			await new Agent(page, {
				task: run.task,
				part: job,
				site,
				log,
				signal,
				storeRows: (scraped) => inStore(() => rows.append(run.batch.id, job.number, scraped)),
				advance: (item) => inStore(() => jobs.advance(run.batch.id, job.number, item)),
			}).work();
		} finally {
			await page.close();
		}
		signal.throwIfAborted();
	}

	#finish(run: Run): void {
		this.#runs.delete(run.batch.id);
		const { lineCount, duplicatedCount } = this.#parts.batches.end(run.batch.id, status.successful);
		run.log.info({ lineCount, duplicatedCount }, 'batch successful');
	}
}

/** The store failed: whatever agents scrape from here on would be lost. */
class StoreError extends Error {}

function inStore(work: () => void): void {
	try {
		work();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StoreError(`The database cannot be written: ${reason}`, { cause: error });
	}
}
