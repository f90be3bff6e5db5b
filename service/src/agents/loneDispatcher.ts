import type { FastifyBaseLogger } from 'fastify';
import { logOf } from '../log/batchLog.ts';
import type { Batch, UnfinishedBatch } from '../store/batch.ts';
import type { ClaimedJob, Job } from '../store/jobStore.ts';
import type { Task } from '../tasks/task.ts';
import { ownTurn } from '../text/ownTurn.ts';
import { Dispatcher, startedTask, type DispatcherParts } from './dispatcher.ts';
import type { EarlyEnd } from './earlyEnd.ts';
import type { Run } from './run.ts';
import { Turns } from './turns.ts';

/** Milliseconds until it is tried again to begin a batch, where that could not be written. */
const patience = 1_000;

/** A batch that no agent is for yet: its task may be large, and is read when one is. */
interface WaitingBatch {
	log: FastifyBaseLogger;
	region: string;
	/** The kind of page of its task; undefined until that is known. */
	page: Task['page'] | undefined;
	early: EarlyEnd | undefined;
	/** Whether its task is read now. */
	isBeginning: boolean;
}

/** Works on all batches by itself. A free agent goes to the batch that has the fewest, the oldest of those. */
export class LoneDispatcher extends Dispatcher {
	/** The oldest first. Those that could begin are younger than all that have. */
	readonly #waiting = new Map<bigint, WaitingBatch>();
	/** While nothing can be written, none of them begins: its end could not be written either, and it has done nothing. */
	#held: NodeJS.Timeout | undefined;
	/** Why, as was said last. */
	#heldBy: string | undefined;

	constructor(parts: DispatcherParts) {
		super(parts, new Turns());
	}

	canRun({ page }: Pick<Task, 'page'>): boolean {
		return this.parts.pages[page] !== undefined;
	}

	async takeOver(): Promise<void> {
		const { batches, jobs } = this.parts;
		for (const batch of await batches.unfinished()) {
			const progress = await jobs.progress(batch.id);
			this.#wait(batch, { jobs: progress.jobs - progress.jobsDone });
		}
	}

	add(batch: Batch, { page }: Task, { length }: Job[]): void {
		this.#wait(batch, { jobs: length, page });
	}

	override close(): Promise<void> {
		this.#waiting.clear();
		clearTimeout(this.#held);
		return super.close();
	}

	protected override callOff(batchID: bigint): FastifyBaseLogger | undefined {
		const waiting = this.#waiting.get(batchID);
		this.#waiting.delete(batchID);
		return super.callOff(batchID) ?? waiting?.log;
	}

	protected dispatch(): void {
		const { site } = this;
		while (site !== undefined && this.agents.size < this.parts.agents) {
			const [batchID, run] = this.#neediest() ?? [];
			const next = run?.working === 0 ? undefined : this.#next();
			if (next && !this.#isHeld()) {
				this.#begin(...next);
				continue;
			}
			const openPage = run && this.parts.pages[run.task.page]?.open;
			const job = run?.waiting.shift();
			if (batchID === undefined || !openPage || !job) return;
			const claim = async (): Promise<ClaimedJob> => ({
				...job,
				claim: await this.parts.jobs.claim(batchID, job.number),
			});
			this.occupy(batchID, async () => {
				await run.work(claim, openPage, site);
				if (run.isAborted || (run.isDone && run.isShared)) this.runs.delete(batchID);
				else if (run.isDone) await this.finish(batchID, run);
			});
		}
	}

	protected waitsOn(batchID: bigint, reason: string): boolean {
		const run = this.runs.get(batchID);
		if (!run || run.hasBegun) return false;
		super.callOff(batchID);
		const others = [...this.#waiting];
		this.#waiting.clear();
		const waiting = this.#waitingOf(run.batch, run.log, run.task.page);
		for (const [id, each] of [[batchID, waiting] as const, ...others]) this.#waiting.set(id, each);
		this.#hold(reason);
		return true;
	}

	#waitingOf(
		{ taskID, region }: UnfinishedBatch,
		log: FastifyBaseLogger,
		page: WaitingBatch['page'],
	): WaitingBatch {
		const early = this.parts.earlyEndOf?.(taskID);
		return { log, region, page, early, isBeginning: false };
	}

	#isHeld(): boolean {
		const why = this.#held ? undefined : this.parts.database.whyLost();
		if (why !== undefined) this.#hold(why);
		else if (!this.#held) this.#heldBy = undefined;
		return this.#held !== undefined;
	}

	#hold(reason: string): void {
		if (reason !== this.#heldBy)
			this.parts.log.warn({ reason }, 'batches wait: nothing can be written');
		this.#heldBy = reason;
		this.#held ??= setTimeout(() => {
			this.#held = undefined;
			this.dispatch();
		}, patience).unref();
	}

	/** `jobs`: how many are still to be done. */
	#wait(
		batch: UnfinishedBatch,
		{ jobs, page }: { jobs: number; page?: WaitingBatch['page'] },
	): void {
		const { id, region } = batch;
		if (this.runs.has(id) || this.#waiting.has(id)) return;
		const log = logOf(batch, this.parts.log);
		const waiting = this.#waitingOf(batch, log, page);
		const { early } = waiting;
		this.#waiting.set(id, waiting);
		log.info({ jobs }, 'batch waiting');
		if (early?.afterRows === 0 || jobs === 0) this.#begin(id, waiting);
		else if (!this.#opens(waiting)) this.#tellUnable(waiting);
		else if (!this.#serves(waiting)) log.warn({ region }, 'batch waits: no agent is in its region');
		this.dispatch();
	}

	/** Reads the task of a batch, for which there are agents now, or which ends without one. */
	#begin(batchID: bigint, waiting: WaitingBatch): void {
		waiting.isBeginning = true;
		this.occupy(batchID, async () => {
			// A large task takes a while.
			await ownTurn();
			const found = await this.parts.batches.withTask(batchID);
			const jobs = await this.parts.jobs.unfinished(batchID);
			// Somebody may have stopped it meanwhile.
			if (this.#waiting.get(batchID) !== waiting) return;
			const task = found && startedTask(found.task);
			const { early } = waiting;
			const isToEnd = early?.afterRows === 0 || jobs.length === 0;
			if (task && !(task instanceof Error) && !this.canRun(task) && !isToEnd) {
				Object.assign(waiting, { page: task.page, isBeginning: false });
				return this.#tellUnable(waiting);
			}
			this.#waiting.delete(batchID);
			if (!found || !task) return;
			if (task instanceof Error) return this.giveUp(found.batch, task);
			const run = this.open({ batch: found.batch, task, jobs, early });
			if (early?.afterRows === 0) await this.endEarly(batchID, run, early);
			else if (run.isDone) await this.finish(batchID, run);
		});
	}

	#neediest(): [bigint, Run] | undefined {
		return [...this.runs]
			.filter(([, run]) => run.needsAgents)
			.reduce<[bigint, Run] | undefined>(
				(least, entry) => (least && least[1].working <= entry[1].working ? least : entry),
				undefined,
			);
	}

	/** The oldest of those that wait that can begin. */
	#next(): [bigint, WaitingBatch] | undefined {
		for (const entry of this.#waiting) {
			const [, waiting] = entry;
			if (!waiting.isBeginning && this.#opens(waiting) && this.#serves(waiting)) return entry;
		}
		return undefined;
	}

	/** Whether its kind of page can be opened here, as far as that is known. */
	#opens({ page }: WaitingBatch): boolean {
		return page === undefined || this.canRun({ page });
	}

	#serves({ region }: WaitingBatch): boolean {
		return region === '' || (this.parts.regions?.includes(region) ?? true);
	}

	#tellUnable({ log, page }: WaitingBatch): void {
		log.warn({ page }, 'batch waits: its kind of page cannot be opened here');
	}
}
