import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../pages/clock.ts';
import type { Page } from '../pages/page.ts';
import { reasonOf } from '../errors/thrown.ts';
import { status, type Batch } from '../store/batch.ts';
import type { ClaimedJob, Job } from '../store/jobStore.ts';
import type { PageKind } from '../store/stepPageStore.ts';
import type { Stores } from '../store/stores.ts';
import { namedSites } from '../tasks/namedSites.ts';
import { splittableLoop } from '../tasks/splitJobs.ts';
import type { Task } from '../tasks/task.ts';
import { shortened } from '../text/shortened.ts';
import { logOf } from '../log/batchLog.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { Agent } from './agent.ts';
import type { PageFailure } from './assignment.ts';
import type { Matches } from './columns.ts';
import { DocumentEnds } from './documentEnds.ts';
import type { Hosts } from './hosts.ts';
import { ItemEnds } from './itemEnds.ts';
import { StepsOfBatch, type KnownSteps } from './knownSteps.ts';
import { Landings } from './landings.ts';
import { orAborted } from './orAborted.ts';
import type { OpenPage, OwnMachine } from './ownMachine.ts';
import { slicesOf } from './rowReader.ts';
import { SentByJob } from './sentByJob.ts';
import { JobLost, StoreError, written } from './storeError.ts';
import type { Tally } from './tally.ts';
import type { TurnTaker } from './turns.ts';
import { UsedSelectors } from './usedSelectors.ts';
import { Visits } from './visits.ts';

/** What runs work with. */
export interface RunParts extends Stores {
	log: FastifyBaseLogger;
	/** The hosts as the task's agents see them, through its proxy. */
	hosts: Hosts;
	turns: TurnTaker;
	ownMachine: OwnMachine;
	matches: Matches;
	clock: Clock;
	/** Counts what is done; absent: nobody does. */
	tally?: Tally;
}

/** Milliseconds for what is written where its agents were called off. */
const leavingTime = 1_000;

/** Milliseconds for the pages of an agent that was called off to be closed. */
const closingTime = 500;

/** Characters that are kept of what is said about a page that was given up. */
const maxSaid = 2_000;

/** A job that an agent of it has. */
interface Work {
	job: ClaimedJob;
	ends: ItemEnds;
	sentByJob: SentByJob;
	openPage: () => Page;
	site: string;
	log: FastifyBaseLogger;
	/** Resolves once its agent has come to an end, and its pages are closed. */
	ended?: Promise<void>;
}

/** A batch that waits or runs: its jobs, and what comes of them. */
export class Run {
	readonly task: Task;
	readonly log: FastifyBaseLogger;
	/** The jobs that no agent has yet. */
	readonly waiting: Job[];
	/** Agents that are at work on it. */
	working = 0;
	/** Whether others work on it as well, or have ended it: its end is theirs. */
	isShared = false;
	readonly #batch: Batch;
	readonly #parts: RunParts;
	readonly #end = new AbortController();
	readonly #selectors: UsedSelectors;
	readonly #visits: Visits;
	readonly #landings: Landings;
	readonly #stepsWithoutPassword: KnownSteps;
	readonly #documentEnds: DocumentEnds;
	/** Whether it runs, as its first agent asks: it may have ended before. */
	#begun: Promise<boolean> | undefined;
	/** Whether it is known to run. */
	hasBegun = false;
	#named: { at: string; sites: ReadonlySet<string> } | undefined;

	/** `jobs`: those that are still to be done. */
	constructor(batch: Batch, task: Task, jobs: Job[], parts: RunParts) {
		this.#batch = batch;
		this.task = task;
		this.#parts = parts;
		this.log = logOf(batch, parts.log);
		// Any number of agents may listen to it.
		setMaxListeners(0, this.#end.signal);
		this.waiting = [...jobs];
		const { selectors } = parts;
		this.#selectors = new UsedSelectors({
			note: (used) => this.#store(() => selectors.note(batch.id, used)),
			notePages: (pages) => this.#store(() => selectors.notePages(batch.id, pages)),
		});
		this.#visits = new Visits(
			task,
			{
				...parts,
				countProxied: () => this.#store(() => parts.batches.countProxied(batch.id)),
				log: this.log,
			},
			this.#end.signal,
		);
		this.#landings = new Landings(this.log);
		const stepsWith = (kind: PageKind) =>
			new StepsOfBatch({
				note: (step) => this.#store(() => parts.stepPages.note(batch.id, step, kind)),
				has: (step) => this.#store(() => parts.stepPages.has(batch.id, step, kind)),
			});
		this.#stepsWithoutPassword = stepsWith('withoutPassword');
		this.#documentEnds = new DocumentEnds(stepsWith('whole'));
	}

	get batch(): Batch {
		return this.#batch;
	}

	get needsAgents(): boolean {
		return this.waiting.length > 0 && this.working < this.#batch.nodeCount;
	}

	get isDone(): boolean {
		return this.waiting.length === 0 && this.working === 0;
	}

	/** Whether its agents were called off. */
	get isAborted(): boolean {
		return this.#end.signal.aborted;
	}

	/** Calls off the agents, whatever they are doing. */
	abort(): void {
		this.#end.abort();
	}

	/**
	 * Has an agent do the job that `claimed` takes over, if there is one; `site`: what `{site}` stands for. Only a
	 * store that fails makes this fail.
	 */
	async work(
		claimed: () => Promise<ClaimedJob | undefined>,
		openPage: OpenPage,
		site: string,
	): Promise<'done' | 'none' | 'left'> {
		this.working += 1;
		const { signal } = this.#end;
		try {
			if (!(await (this.#begun ??= this.#begin()))) this.abort();
			signal.throwIfAborted();
			const job = await this.#store(claimed);
			if (!job) return 'none';
			const { claim } = job;
			const { jobs } = this.#parts;
			const ends = new ItemEnds((item) => this.#store(() => jobs.advance(claim, item)));
			const sentByJob = new SentByJob(job, async (item, sent) => {
				await this.#storeSent(() => jobs.noteSent(claim, item, sent));
				ends.take();
			});
			const settings = { ...this.task, sites: this.#sitesAt(site), onSend: sentByJob.onSend };
			const log = this.log.child({ job: job.number });
			const open = () => openPage(signal, settings);
			await this.#do({ job, ends, sentByJob, openPage: open, site, log });
			this.#parts.tally?.jobDone();
			return 'done';
		} catch (error) {
			if (signal.aborted) return 'left';
			if (!(error instanceof JobLost)) throw error;
			this.isShared = true;
			this.log.warn({ reason: error.message }, 'job left');
			return 'left';
		} finally {
			this.working -= 1;
		}
	}

	/** Those that its task names, worked out once: of a list of addresses, that takes a while. */
	#sitesAt(site: string): ReadonlySet<string> {
		if (this.#named?.at !== site) this.#named = { at: site, sites: namedSites(this.task, site) };
		return this.#named.sites;
	}

	async #begin(): Promise<boolean> {
		const isNew = this.#batch.status === status.waiting;
		const runs = await this.#store(() => this.#parts.batches.markRunning(this.#batch.id));
		this.hasBegun = runs;
		if (runs && isNew) this.log.info('batch running');
		return runs;
	}

	async #do(work: Work): Promise<void> {
		const { jobs, selectors, logs } = this.#parts;
		const { claim } = work.job;
		try {
			// Who begins anew what somebody has left will come upon its pages again.
			if (claim.number > 1 && !splittableLoop(this.task))
				await this.#store(() => selectors.forgetPages(this.#batch.id));
			await this.#work(work);
			await this.#selectors.flush();
			if (logs?.lacksOdd(this.#batch.id)) await logs.flush();
			await this.#store(() => jobs.markDone(claim));
		} catch (error) {
			if (this.isAborted || error instanceof JobLost) await this.#leave(work);
			throw error;
		}
	}

	/** Writes what is known of a job with which others go on, if somebody does: what fails of that is done again, or lost. */
	async #leave({ job: { claim }, ends, sentByJob, ended }: Work): Promise<void> {
		const { database, jobs, selectors } = this.#parts;
		// What has gone out by then is known once its page is closed.
		if (ended) await orAborted(ended, AbortSignal.timeout(closingTime)).catch(() => undefined);
		const end = AbortSignal.timeout(leavingTime);
		const write = (work: () => Promise<void>) =>
			written(database, work, end).catch(() => undefined);
		const pages = this.#selectors.takePages();
		const item = ends.take();
		if (pages.length > 0) await write(() => selectors.notePages(this.#batch.id, pages));
		if (item !== undefined) await write(() => jobs.advance(claim, item));
		await sentByJob.written.catch(() => undefined);
	}

	async #work(work: Work): Promise<void> {
		const { job, log } = work;
		const { signal } = this.#end;
		try {
			work.ended = this.#scrape(work);
			await orAborted(work.ended, signal);
			log.info('job done');
		} catch (error) {
			if (signal.aborted || error instanceof StoreError) throw error;
			log.error(error, 'job failed, skipped');
			const reason = reasonOf(error);
			await this.#failed(job, {
				position: '',
				what: `job ${job.number}`,
				address: '',
				reason,
				kind: 'unforeseen',
				tries: 1,
			});
		}
	}

	async #scrape({ job, ends, sentByJob, site, log, ...work }: Work): Promise<void> {
		const { rows } = this.#parts;
		const pages: Page[] = [];
		const openPage = () => {
			const page = work.openPage();
			pages.push(page);
			return page;
		};
		const { claim } = job;
		/** The highest number of a row in the job that this agent came upon. */
		let highest = -1;
		const agent = new Agent({
			task: this.task,
			part: job,
			site,
			openPage,
			visits: this.#visits,
			log,
			waitsForMachine: (reason) => this.#waitsForMachine(reason),
			matches: this.#parts.matches,
			signal: this.#end.signal,
			noteFinds: (finds) => this.#selectors.note(finds),
			notePage: (finds, address) => this.#selectors.notePage(finds, shortly(address)),
			noteLanding: (asked, landed, step) => this.#landings.note(asked, landed, step),
			stepsWithoutPassword: this.#stepsWithoutPassword,
			documentEnds: this.#documentEnds,
			storeRows: async (found, positions) => {
				const before = highest;
				// Those that were held back come together.
				for (const { slice } of slicesOf(found)) {
					const placed = positions.of(slice);
					const done = placed.length > 0 ? ends.take() : undefined;
					const last = await this.#store(() => rows.append(claim, placed, done));
					this.#parts.tally?.rows(slice.length);
					highest = Math.max(highest, last);
					await nextTurn();
				}
				return highest > before;
			},
			pageFailed: (failure) => this.#failed(job, failure),
			sentByJob,
			advance: async (item) => {
				const isOdd = await this.#storeOdd();
				await ends.advance(item, { atOnce: sentByJob.end() || isOdd });
			},
		});
		try {
			await agent.work();
		} finally {
			ends.close();
			await Promise.all(pages.map((page) => page.close()));
		}
	}

	/** What is odd of an item is there before its place is: nobody goes there once more. True if there was anything. */
	async #storeOdd(): Promise<boolean> {
		const { logs } = this.#parts;
		const [isSeen, isSaid] = [this.#selectors.lacksOdd, logs?.lacksOdd(this.#batch.id)];
		if (isSeen) await this.#selectors.flush();
		if (isSaid) await logs?.flush();
		return isSeen || isSaid === true;
	}

	/** See `Assignment`. */
	async #waitsForMachine(reason: string): Promise<boolean> {
		const { ownMachine, machines } = this.#parts;
		const { page } = this.task;
		if (!(await ownMachine.lacks(page, reason))) return false;
		if (machines) throw new JobLost(reason);
		await ownMachine.untilAble(page, this.#end.signal);
		return true;
	}

	async #failed({ claim }: ClaimedJob, failure: PageFailure): Promise<void> {
		const { what, address, reason, kind, ...rest } = failure;
		const kept = {
			...rest,
			what: shortly(what),
			address: shortly(address),
			reason: shortly(reason),
			time: Date.now(),
		};
		await this.#store(() => this.#parts.failures.add(claim, kept));
		this.#parts.tally?.failure(kind);
	}

	/** An agent that was called off may still be at work, but stores nothing more. `work` may be done again. */
	#store<Result>(work: () => Promise<Result>): Promise<Result> {
		return written(this.#parts.database, work, this.#end.signal);
	}

	/** What has gone out as it was called off, it notes all the same. */
	#storeSent(work: () => Promise<void>): Promise<void> {
		const { aborted } = this.#end.signal;
		const end = aborted ? AbortSignal.timeout(leavingTime) : this.#end.signal;
		return written(this.#parts.database, work, end);
	}
}

function shortly(text: string): string {
	return withoutPasswords(shortened(text, maxSaid));
}
