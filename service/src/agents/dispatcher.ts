import { reasonOf } from '../errors/thrown.ts';
import { status, type Batch, type EndStatus } from '../store/batch.ts';
import type { Job } from '../store/jobStore.ts';
import { checkTask } from '../tasks/checkTask.ts';
import type { Task } from '../tasks/task.ts';
import { rowsUpTo, type EarlyEnd } from './earlyEnd.ts';
import { Hosts } from './hosts.ts';
import { Run, type OpenPage, type RunParts } from './run.ts';
import { Turns } from './turns.ts';

/** How a page of each kind is opened; a kind that is missing cannot be had here. */
export type PageKinds = Partial<Record<Task['page'], OpenPage>>;

export interface DispatcherParts extends Omit<RunParts, 'hosts' | 'turns'> {
	/** Agents at once over all batches. */
	agents: number;
	/** Batches of tasks with another kind of page wait. */
	pages: PageKinds;
	/** Is told when what a run has found cannot be stored, as on a full disk: that run ends. */
	onStoreFailure(error: unknown): void;
	/** Says of a run of a task that begins whether it is to end before its time; absent: none is. */
	earlyEndOf?(taskID: string): EarlyEnd | undefined;
}

/** Milliseconds after which the end of a batch is written again that could not be. */
const pause = 5_000;

/**
 * Gives the jobs of all unfinished batches to agents: at most `nodeCount` for a batch and `agents`
 * over all. A free agent goes to the batch that has the fewest, the oldest of those.
 */
export class Dispatcher {
	readonly #parts: DispatcherParts;
	/** By proxy: what is down behind one may be there behind another. */
	readonly #hosts = new Map<string | undefined, Hosts>();
	readonly #turns = new Turns();
	readonly #runs = new Map<bigint, Run>();
	readonly #agents = new Set<Promise<void>>();
	/** Absent before the start and after the end. */
	#site: string | undefined;

	constructor(parts: DispatcherParts) {
		this.#parts = parts;
		parts.database.onEnd((batchID) => this.#leave(batchID));
	}

	/** Agents that are at work. */
	get busyAgents(): number {
		return Math.min(this.#agents.size, this.#parts.agents);
	}

	/** Whether a task's kind of page can be opened here. */
	canRun({ page }: Task): boolean {
		return this.#parts.pages[page] !== undefined;
	}

	/** Takes over the batches that an earlier process left unfinished, before anybody else starts or stops some. */
	async takeOver(): Promise<void> {
		const { batches, jobs } = this.#parts;
		for (const { batch, task } of await batches.unfinished()) {
			const started = startedTask(task);
			if (started instanceof Error) await this.#giveUp(batch, started);
			else this.add(batch, started, await jobs.unfinished(batch.id));
		}
	}

	/** Starts working. `site`: what `{site}` stands for. */
	begin(site: string): void {
		this.#site = site;
		this.#dispatch();
	}

	/** Has agents work on these jobs of a waiting or running batch, unless they do. */
	add(batch: Batch, task: Task, jobs: Job[]): void {
		if (this.#runs.has(batch.id)) return;
		const hosts = this.#hosts.get(task.proxy) ?? new Hosts(this.#parts.clock);
		this.#hosts.set(task.proxy, hosts);
		const early = this.#parts.earlyEndOf?.(task.taskID);
		const endEarly = (how: EndStatus) => this.#endEarly(batch.id, run, how);
		const rows = early
			? rowsUpTo(early.afterRows, this.#parts, () => endEarly(early.how))
			: this.#parts.rows;
		const run: Run = new Run(batch, task, jobs, {
			...this.#parts,
			rows,
			hosts,
			turns: this.#turns,
		});
		this.#runs.set(batch.id, run);
		run.log.info({ jobs: run.waiting.length }, 'batch waiting');
		if (early?.afterRows === 0) this.#occupy(batch.id, run, () => endEarly(early.how));
		else if (run.isDone) this.#occupy(batch.id, run, () => this.#finish(batch.id, run));
		else if (!this.canRun(task)) {
			run.log.warn({ page: task.page }, 'batch waits: its kind of page cannot be opened here');
		}
		this.#dispatch();
	}

	/**
	 * Stops a batch: calls off its agents, and ends it; undefined where it had ended. Throws where that cannot be
	 * written; it is, later.
	 */
	async stop(batchID: bigint): Promise<Batch | undefined> {
		const run = this.#runs.get(batchID);
		this.#runs.delete(batchID);
		run?.abort();
		const stopped = await this.#end(batchID, status.stopped);
		if (stopped) await run?.logEnd('batch stopped');
		return stopped;
	}

	/** Calls off all agents and waits for them; their batches go on at the next `begin`. */
	async close(): Promise<void> {
		this.#site = undefined;
		for (const run of this.#runs.values()) run.abort();
		this.#runs.clear();
		await Promise.all(this.#agents);
	}

	#dispatch(): void {
		const site = this.#site;
		while (site !== undefined && this.#agents.size < this.#parts.agents) {
			const [batchID, run] = this.#neediest() ?? [];
			const openPage = run && this.#parts.pages[run.task.page];
			const job = run?.waiting.shift();
			if (batchID === undefined || !openPage || !job) return;
			this.#occupy(batchID, run, async () => {
				await run.work(job, openPage, site);
				if (run.isAborted || (run.isDone && run.isShared)) this.#runs.delete(batchID);
				else if (run.isDone) await this.#finish(batchID, run);
			});
		}
	}

	/** Has an agent do something for a run, which ends the run where it fails. */
	#occupy(batchID: bigint, run: Run, work: () => Promise<void>): void {
		const agent = work()
			.catch((error: unknown) => this.#fail(batchID, run, error))
			.finally(() => {
				this.#agents.delete(agent);
				this.#dispatch();
			});
		this.#agents.add(agent);
	}

	#neediest(): [bigint, Run] | undefined {
		return [...this.#runs]
			.filter(([, run]) => run.needsAgents && this.canRun(run.task))
			.reduce<[bigint, Run] | undefined>(
				(least, entry) => (least && least[1].working <= entry[1].working ? least : entry),
				undefined,
			);
	}

	/** Calls off the agents of a batch that was ended elsewhere; what is ended here is known no more by then. */
	#leave(batchID: bigint): void {
		const run = this.#runs.get(batchID);
		if (!run) return;
		this.#runs.delete(batchID);
		run.abort();
		run.log.info('batch ended elsewhere, left');
	}

	/** Ends a batch whose jobs are done, unless it was stopped. */
	async #finish(batchID: bigint, run: Run): Promise<void> {
		if (!this.#runs.delete(batchID)) return;
		await this.#end(batchID, status.successful);
		await run.logEnd('batch successful');
	}

	/** Ends a batch before its time, as one that has run. */
	async #endEarly(batchID: bigint, run: Run, how: EndStatus): Promise<void> {
		if (!this.#runs.delete(batchID)) return;
		run.abort();
		await this.#parts.batches.markRunning(batchID);
		await this.#end(batchID, how);
		await run.logEnd('batch ended by a fault');
	}

	/** What a run finds cannot be stored: it ends, for whatever it would find from here on is lost. */
	async #fail(batchID: bigint, run: Run, error: unknown): Promise<void> {
		this.#parts.onStoreFailure(error);
		// Of several agents, the first has said so; a run that was over has an end that is still to be written.
		if (!this.#runs.delete(batchID)) return;
		run.abort();
		const reason = reasonOf(error);
		run.log.error({ reason }, 'batch cannot go on, stopped');
		// Where its end cannot be written, it is later.
		await this.#end(batchID, status.stopped, reason).catch(() => undefined);
	}

	/** A batch whose stored task cannot be run any more must not keep the others from running. */
	async #giveUp(batch: Batch, { message }: Error): Promise<void> {
		const reason = `This version of the service refuses the task as it was started: ${message}`;
		this.#parts.log.error(
			{
				batchID: String(batch.id),
				taskID: batch.taskID,
				requestID: batch.requestID,
				database: this.#parts.database.location,
				reason,
			},
			'batch cannot go on, stopped',
		);
		await this.#end(batch.id, status.stopped, reason).catch((error: unknown) =>
			this.#parts.onStoreFailure(error),
		);
	}

	/** Writes the end of a batch. Throws where that cannot be done, and does it later: nobody works on it any more. */
	async #end(batchID: bigint, how: EndStatus, reason = ''): Promise<Batch | undefined> {
		try {
			return await this.#writeEnd(batchID, how, reason);
		} catch (error) {
			this.#endLater(batchID, how, reason);
			throw error;
		}
	}

	#endLater(batchID: bigint, how: EndStatus, reason: string): void {
		setTimeout(() => {
			// After the end of the service the next one takes the batch up.
			if (this.#site === undefined) return;
			this.#writeEnd(batchID, how, reason).catch(() => this.#endLater(batchID, how, reason));
		}, pause).unref();
	}

	async #writeEnd(batchID: bigint, how: EndStatus, reason: string): Promise<Batch | undefined> {
		const ended = await this.#parts.batches.end(batchID, how, reason);
		if (ended) this.#parts.tally?.batchEnded(ended);
		return ended;
	}
}

/** A stored task, or why it is none any more. */
function startedTask(json: string): Task | Error {
	try {
		return checkTask(JSON.parse(json));
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}
