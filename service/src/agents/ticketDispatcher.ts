import { reasonOf } from '../errors/thrown.ts';
import { logOf } from '../log/batchLog.ts';
import { isUnfinished, regions, status, type Batch } from '../store/batch.ts';
import type { Job } from '../store/jobStore.ts';
import type { Machines, Ticket } from '../store/machines.ts';
import type { Task } from '../tasks/task.ts';
import { Dispatcher, startedTask, type DispatcherParts } from './dispatcher.ts';
import type { EarlyEnd } from './earlyEnd.ts';
import { LeasedTurns } from './leasedTurns.ts';
import type { OpenPage } from './ownMachine.ts';
import type { Run } from './run.ts';
import { StoreError } from './storeError.ts';

/** Milliseconds between two looks for tickets, where nobody has told of one. */
const pulse = 2_000;

/** Milliseconds after which an agent goes to another batch that waits for one, when its job is done. */
const slice = 10_000;

/** Milliseconds for which is kept what is known of a batch that no agent here is at work on. */
const memory = 60_000;

/** Works on the batches of a database together with other processes: whoever holds a ticket has an agent at work. */
export class TicketDispatcher extends Dispatcher {
	readonly #machines: Machines;
	/** How the runs are to end that have begun here. */
	readonly #early = new Map<bigint, EarlyEnd>();
	/** How many tickets are here for a run. */
	readonly #tickets = new Map<Run, number>();
	/** Tickets that are put back. */
	readonly #goingBack = new Set<Promise<void>>();
	#pulse: NodeJS.Timeout | undefined;
	#taking: Promise<void> | undefined;
	#isAwaited = false;

	constructor(parts: DispatcherParts, machines: Machines) {
		super(parts, new LeasedTurns(machines.slots));
		this.#machines = machines;
		machines.tickets.onNew(() => this.dispatch());
		parts.database.onBack(() => void this.#leaveEnded());
	}

	/** Another process may have what this one lacks. */
	canRun(): boolean {
		return true;
	}

	/** They have tickets, which are taken when the work begins. */
	async takeOver(): Promise<void> {}

	override begin(site?: string): void {
		this.#machines.tickets.begin(site).catch((error: unknown) => this.#cannotTake(error));
		super.begin(site);
		if (this.parts.agents > 0) this.#pulse = setInterval(() => this.dispatch(), pulse).unref();
	}

	override async close(): Promise<void> {
		clearInterval(this.#pulse);
		await super.close();
		await this.#taking;
		await Promise.all(this.agents);
		await Promise.all(this.#goingBack);
	}

	add(batch: Batch, task: Task, jobs: Job[]): void {
		const early = this.#earlyEndOf(batch);
		if (early?.afterRows === 0) {
			const run = this.runs.get(batch.id) ?? this.open({ batch, task, jobs: [], early });
			this.occupy(batch.id, () => this.endEarly(batch.id, run, early));
		}
		logOf(batch, this.parts.log).info({ jobs: jobs.length }, 'batch waiting');
		this.dispatch();
	}

	/** Another process may begin it. */
	protected waitsOn(): boolean {
		return false;
	}

	protected dispatch(): void {
		this.#isAwaited = true;
		this.#taking ??= this.#take()
			.catch((error: unknown) => this.#cannotTake(error))
			.finally(() => (this.#taking = undefined));
	}

	get #isFree(): boolean {
		return this.site !== undefined && this.agents.size < this.parts.agents;
	}

	async #take(): Promise<void> {
		while (this.#isAwaited && this.#isFree) {
			this.#isAwaited = false;
			for (let ticket = await this.#next(); ticket; ticket = await this.#next()) {
				await this.#begin(ticket);
				if (!this.#isFree) return;
			}
		}
	}

	#next(): Promise<Ticket | undefined> {
		const { able: pages } = this.ownMachine;
		return this.#machines.tickets.take({ regions: this.parts.regions ?? regions, pages });
	}

	/** The next look is as good as this one: the log says already that the database is away. */
	#cannotTake(error: unknown): void {
		this.parts.log.debug({ reason: reasonOf(error) }, 'ticket not taken, or left');
	}

	async #begin(ticket: Ticket): Promise<void> {
		try {
			await this.#open(ticket);
		} catch (error) {
			this.#putBack(ticket);
			throw error;
		}
	}

	/**
	 * Puts back a ticket, or has it expire. Where the end of its batch is still to be written, of which all others know
	 * nothing, it is kept from them until that is done: they would ask for the same pages once more.
	 */
	#putBack(ticket: Ticket): void {
		const back = this.unwrittenEnds
			.over(ticket.batchID)
			.then(() => ticket.putBack())
			.catch((error: unknown) => this.#cannotTake(error))
			.finally(() => this.#goingBack.delete(back));
		this.#goingBack.add(back);
	}

	async #open(ticket: Ticket): Promise<void> {
		const { batchID } = ticket;
		const run = this.runs.get(batchID) ?? (await this.#opened(batchID));
		// Somebody may have stopped it while it was opened.
		if (this.unwrittenEnds.has(batchID)) {
			this.callOff(batchID);
			return this.#putBack(ticket);
		}
		const openPage = run && this.parts.pages[run.task.page]?.open;
		if (this.site === undefined) return this.#putBack(ticket);
		if (!openPage) return ticket.end();
		this.#tickets.set(run, (this.#tickets.get(run) ?? 0) + 1);
		this.occupy(batchID, () =>
			this.#work(ticket, run, openPage).finally(() => this.#leaveRun(run)),
		);
	}

	/** The run of a batch; undefined where that has ended. */
	async #opened(batchID: bigint): Promise<Run | undefined> {
		const found = await this.parts.batches.withTask(batchID);
		if (!found) return undefined;
		const { batch } = found;
		const task = startedTask(found.task);
		if (task instanceof Error) {
			await this.giveUp(batch, task);
			return undefined;
		}
		return this.open({ batch, task, jobs: [], early: this.#earlyEndOf(batch) });
	}

	/** Is asked by whoever comes first: an agent here may have the ticket of a batch before it is added. */
	#earlyEndOf(batch: Batch): EarlyEnd | undefined {
		const known = this.#early.get(batch.id);
		if (known || batch.status !== status.waiting) return known;
		const early = this.parts.earlyEndOf?.(batch.taskID);
		if (early) this.#early.set(batch.id, early);
		return early;
	}

	async #work(ticket: Ticket, run: Run, openPage: OpenPage): Promise<void> {
		// Of what this process holds, one was lost: for too long it was not there.
		const leave = () => run.abort();
		if (ticket.lost.aborted) leave();
		ticket.lost.addEventListener('abort', leave);
		try {
			if (await this.#isThrough(ticket, run, openPage)) {
				const left = await this.parts.jobs.unfinished(ticket.batchID);
				// Of several who find that, one ends the batch.
				if (left.length === 0) await this.finish(ticket.batchID, run);
				// Who was called off meanwhile has ended nothing.
				if (!run.isAborted) await ticket.end();
				else this.#putBack(ticket);
			} else this.#putBack(ticket);
		} catch (error) {
			this.#putBack(ticket);
			// Else the database is away, and whoever gets the ticket next sees to what is left to do.
			if (error instanceof StoreError) throw error;
			this.#cannotTake(error);
		} finally {
			ticket.lost.removeEventListener('abort', leave);
		}
	}

	/** Does one job after the other; false where there may be more of them, for another agent. */
	async #isThrough(ticket: Ticket, run: Run, openPage: OpenPage): Promise<boolean> {
		const site = ticket.site ?? this.site ?? '';
		let since = performance.now();
		for (;;) {
			const came = await run.work(() => ticket.claim(), openPage, site);
			if (came !== 'done') return came === 'none';
			if (performance.now() < since + slice) continue;
			since = performance.now();
			const other = await this.#next().catch(() => undefined);
			if (!other) continue;
			await this.#begin(other);
			return false;
		}
	}

	#leaveRun(run: Run): void {
		const { id } = run.batch;
		const tickets = (this.#tickets.get(run) ?? 1) - 1;
		if (tickets > 0) return void this.#tickets.set(run, tickets);
		this.#tickets.delete(run);
		const forget = () => {
			if (this.#tickets.has(run)) return;
			this.#early.delete(id);
			if (this.runs.get(id) === run) this.runs.delete(id);
		};
		if (run.isAborted) forget();
		else setTimeout(forget, memory).unref();
	}

	/** What has ended while the database was away, nobody has told. */
	async #leaveEnded(): Promise<void> {
		for (const id of this.runs.keys()) {
			const batch = await this.parts.batches.find(id).catch(() => undefined);
			if (batch && !isUnfinished(batch)) this.leave(id);
		}
		this.dispatch();
	}
}
