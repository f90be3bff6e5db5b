import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { reasonOf } from '../errors/thrown.ts';
import { logOf } from '../log/batchLog.ts';
import { status, type Batch } from '../store/batch.ts';
import type { Job } from '../store/jobStore.ts';
import { checkTask } from '../tasks/checkTask.ts';
import type { Task } from '../tasks/task.ts';
import { rowsUpTo, type EarlyEnd } from './earlyEnd.ts';
import { Hosts } from './hosts.ts';
import { UnwrittenEnds, type End } from './unwrittenEnds.ts';
import { OwnMachine, type PageKinds } from './ownMachine.ts';
import { Run, type RunParts } from './run.ts';
import type { TurnTaker } from './turns.ts';

export interface DispatcherParts extends Omit<RunParts, 'hosts' | 'turns' | 'ownMachine'> {
	/** Agents at once over all batches. */
	agents: number;
	/** How pages of each kind are opened; batches of tasks with another kind wait. */
	pages: PageKinds;
	/** Regions whose batches are worked on here; absent: all. */
	regions?: readonly string[];
	/** Proxies for the batches of a region whose tasks have none. */
	regionProxies?: Partial<Record<string, string>>;
	/** Is told when what a run has found cannot be stored, as on a full disk: that run ends. */
	onStoreFailure(error: unknown): void;
	/** Says of a run of a task that begins whether it is to end before its time; absent: none is. */
	earlyEndOf?(taskID: string): EarlyEnd | undefined;
}

/** A batch that is worked on. */
export interface Work {
	batch: Batch;
	task: Task;
	/** Those that are still to be done, where they are handed out here. */
	jobs: Job[];
	early: EarlyEnd | undefined;
}

/** Gives the jobs of unfinished batches to agents: at most `nodeCount` for a batch and `agents` over all. */
export abstract class Dispatcher {
	protected readonly parts: DispatcherParts;
	protected readonly runs = new Map<bigint, Run>();
	protected readonly agents = new Set<Promise<void>>();
	protected readonly unwrittenEnds: UnwrittenEnds;
	protected readonly ownMachine: OwnMachine;
	/** Absent before the start and after the end. */
	protected site: string | undefined;
	/** By proxy: what is down behind one may be there behind another. */
	readonly #hosts = new Map<string | undefined, Hosts>();
	readonly #turns: TurnTaker;

	constructor(parts: DispatcherParts, turns: TurnTaker) {
		this.parts = parts;
		this.#turns = turns;
		this.ownMachine = new OwnMachine(parts.pages, parts.log, () => this.dispatch());
		const stops = parts.machines?.stops;
		this.unwrittenEnds = new UnwrittenEnds((end) => this.#writeEnd(end), { log: parts.log, stops });
		stops?.onTold((batchID) => {
			this.callOff(batchID)?.info('batch to be stopped, left');
			this.unwrittenEnds.addStop(batchID);
		});
		parts.database.onEnd((batchID) => this.leave(batchID));
	}

	/** Agents that are at work. */
	get busyAgents(): number {
		return Math.min(this.agents.size, this.parts.agents);
	}

	/** Why no work is taken, for people: what this machine lacks to read any page; undefined: it takes some. */
	whyUnable(): string | undefined {
		return this.ownMachine.whyUnable('http');
	}

	/** Whether a task's kind of page can be opened here, or wherever else its batches are worked on. */
	abstract canRun(task: Task): boolean;

	/** Takes over the batches that an earlier process left unfinished, before anybody else starts or stops some. */
	abstract takeOver(): Promise<void>;

	/** Has agents work on these jobs of a waiting or running batch, unless they do. */
	abstract add(batch: Batch, task: Task, jobs: Job[]): void;

	/** Starts working. `site`: what `{site}` stands for, where that is known. */
	begin(site = ''): void {
		this.site = site;
		this.dispatch();
	}

	/** Gives free agents something to do. */
	protected abstract dispatch(): void;

	/** Makes a batch one that is worked on here. */
	protected open({ batch, task, jobs, early }: Work): Run {
		const proxy = task.proxy ?? this.parts.regionProxies?.[batch.region];
		const hosts =
			this.#hosts.get(proxy) ??
			new Hosts(
				this.parts.clock,
				this.parts.machines && { hosts: this.parts.machines.hosts, turns: this.#turns, proxy },
			);
		this.#hosts.set(proxy, hosts);
		const rows = early
			? rowsUpTo(early.afterRows, this.parts, () => this.endEarly(batch.id, run, early))
			: this.parts.rows;
		const run: Run = new Run(batch, { ...task, proxy }, jobs, {
			...this.parts,
			rows,
			hosts,
			turns: this.#turns,
			ownMachine: this.ownMachine,
		});
		this.runs.set(batch.id, run);
		return run;
	}

	/**
	 * Stops a batch: calls off its agents, and ends it; undefined where it had ended. Throws a ServiceError where
	 * that cannot be written; it is, later, or the log says that it is not.
	 */
	async stop(batchID: bigint): Promise<Batch | undefined> {
		const log = this.callOff(batchID);
		const stopped = await this.unwrittenEnds
			.write({ batchID, how: status.stopped, reason: '' })
			.catch((error: unknown) => this.#stopIsLate(batchID, error));
		if (stopped && log) await this.#logEnd(batchID, log, 'batch stopped');
		return stopped;
	}

	/** Calls off all agents and waits for them; their batches go on in another process, or at the next start. */
	async close(): Promise<void> {
		this.site = undefined;
		this.ownMachine.close();
		for (const run of this.runs.values()) run.abort();
		this.runs.clear();
		// Agents may wait for the database for as long as it does not answer.
		await Promise.all([this.unwrittenEnds.close(), ...this.agents]);
	}

	/** Has an agent do something for a batch, which ends that where it fails. */
	protected occupy(batchID: bigint, work: () => Promise<void>): void {
		const agent = work()
			.catch((error: unknown) => this.#fail(batchID, error))
			.finally(() => {
				this.agents.delete(agent);
				this.dispatch();
			});
		this.agents.add(agent);
	}

	/** Calls off the agents of a batch that was ended elsewhere; what is ended here is known no more by then. */
	protected leave(batchID: bigint): void {
		this.callOff(batchID)?.info('batch ended elsewhere, left');
	}

	/** Calls off the agents of a batch here, where it has some, and knows it no more; its log, where it was known. */
	protected callOff(batchID: bigint): FastifyBaseLogger | undefined {
		const run = this.runs.get(batchID);
		this.runs.delete(batchID);
		run?.abort();
		return run?.log;
	}

	/** Ends a batch whose jobs are done, unless it was stopped. */
	protected async finish(batchID: bigint, run: Run): Promise<void> {
		if (!this.runs.delete(batchID)) return;
		if (await this.unwrittenEnds.write({ batchID, how: status.successful, reason: '' }))
			await this.#logEnd(batchID, run.log, 'batch successful');
	}

	/** Ends a batch before its time, as one that has run. */
	protected async endEarly(batchID: bigint, run: Run, early: EarlyEnd): Promise<void> {
		if (!this.runs.delete(batchID)) return;
		try {
			await this.parts.batches.markRunning(batchID);
			if (!(await this.unwrittenEnds.write({ batchID, how: early.how, reason: '' }))) return;
		} finally {
			// Not before: who is called off gives the batch back, and others would go on with it.
			run.abort();
			// Somebody may have gone on with it here.
			this.callOff(batchID);
		}
		early.happens();
		await this.#logEnd(batchID, run.log, 'batch ended by a fault');
	}

	/** The batch has ended: says how, and what was not to be had. */
	async #logEnd(batchID: bigint, log: FastifyBaseLogger, message: string): Promise<void> {
		const { batches, selectors } = this.parts;
		const { lineCount, duplicatedCount, failedPages } = await batches.get(batchID);
		const emptySelectors = await selectors.emptyOf(batchID);
		const emptyOnPages = await selectors.emptyOnPages(batchID);
		log.info({ lineCount, duplicatedCount, failedPages, emptySelectors, emptyOnPages }, message);
	}

	/** Whether a batch that has not begun waits on, since `reason` keeps that from being written. */
	protected abstract waitsOn(batchID: bigint, reason: string): boolean;

	/** What a run finds cannot be stored: it ends, for whatever it would find from here on is lost. */
	async #fail(batchID: bigint, error: unknown): Promise<void> {
		this.parts.onStoreFailure(error);
		const reason = reasonOf(error);
		if (this.waitsOn(batchID, reason)) return;
		// Of several agents, the first has said so; a run that was over has an end that is still to be written.
		const log = this.callOff(batchID);
		if (!log) return;
		log.error({ reason }, 'batch cannot go on, stopped');
		// Where its end cannot be written, it is later.
		await this.unwrittenEnds.write({ batchID, how: status.stopped, reason }).catch(() => undefined);
	}

	/** A batch whose stored task cannot be run any more must not keep the others from running. */
	protected async giveUp(batch: Batch, { message }: Error): Promise<void> {
		const reason = `This version of the service refuses the task as it was started: ${message}`;
		const { location: database } = this.parts.database;
		logOf(batch, this.parts.log).error({ database, reason }, 'batch cannot go on, stopped');
		await this.unwrittenEnds
			.write({ batchID: batch.id, how: status.stopped, reason })
			.catch((error: unknown) => this.parts.onStoreFailure(error));
	}

	async #writeEnd({ batchID, how, reason }: End): Promise<Batch | undefined> {
		const ended = await this.parts.batches.end(batchID, how, reason);
		if (ended) this.parts.tally?.batchEnded(ended);
		return ended;
	}

	/** Whoever asks for the same again would stop another batch of the task. */
	#stopIsLate(batchID: bigint, error: unknown): never {
		const what = `Batch ${batchID} is to be stopped, but that could not be written: ${reasonOf(error)}.`;
		const next = this.unwrittenEnds.isClosed
			? 'It is not tried again, for the service ends: stop it once more when the database can be written.'
			: 'It is tried again each second until it can. Look, before you stop the task once more, which may stop another of its batches.';
		throw new ServiceError('failed', `${what} ${next}`, { cause: error });
	}
}

/** A stored task, or why it is none any more. */
export function startedTask(json: string): Task | Error {
	try {
		return checkTask(JSON.parse(json));
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error));
	}
}
