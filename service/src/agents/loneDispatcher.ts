import type { Batch } from '../store/batch.ts';
import type { ClaimedJob, Job } from '../store/jobStore.ts';
import type { Task } from '../tasks/task.ts';
import { Dispatcher, startedTask, type DispatcherParts } from './dispatcher.ts';
import type { Run } from './run.ts';
import { Turns } from './turns.ts';

/** Works on all batches by itself. A free agent goes to the batch that has the fewest, the oldest of those. */
export class LoneDispatcher extends Dispatcher {
	constructor(parts: DispatcherParts) {
		super(parts, new Turns());
	}

	canRun({ page }: Task): boolean {
		return this.parts.pages[page] !== undefined;
	}

	async takeOver(): Promise<void> {
		const { batches, jobs } = this.parts;
		for (const { batch, task } of await batches.unfinished()) {
			const started = startedTask(task);
			if (started instanceof Error) await this.giveUp(batch, started);
			else this.add(batch, started, await jobs.unfinished(batch.id));
		}
	}

	add(batch: Batch, task: Task, jobs: Job[]): void {
		if (this.runs.has(batch.id)) return;
		const early = this.parts.earlyEndOf?.(task.taskID);
		const run = this.open({ batch, task, jobs, early });
		run.log.info({ jobs: run.waiting.length }, 'batch waiting');
		if (early?.afterRows === 0) {
			this.occupy(batch.id, run, () => this.endEarly(batch.id, run, early));
		} else if (run.isDone) this.occupy(batch.id, run, () => this.finish(batch.id, run));
		else if (!this.canRun(task)) {
			run.log.warn({ page: task.page }, 'batch waits: its kind of page cannot be opened here');
		} else if (!this.#serves(run)) {
			run.log.warn({ region: batch.region }, 'batch waits: no agent is in its region');
		}
		this.dispatch();
	}

	protected dispatch(): void {
		const { site } = this;
		while (site !== undefined && this.agents.size < this.parts.agents) {
			const [batchID, run] = this.#neediest() ?? [];
			const openPage = run && this.parts.pages[run.task.page]?.open;
			const job = run?.waiting.shift();
			if (batchID === undefined || !openPage || !job) return;
			const claim = async (): Promise<ClaimedJob> => ({
				...job,
				claim: await this.parts.jobs.claim(batchID, job.number),
			});
			this.occupy(batchID, run, async () => {
				await run.work(claim, openPage, site);
				if (run.isAborted || (run.isDone && run.isShared)) this.runs.delete(batchID);
				else if (run.isDone) await this.finish(batchID, run);
			});
		}
	}

	#neediest(): [bigint, Run] | undefined {
		return [...this.runs]
			.filter(([, run]) => run.needsAgents && this.canRun(run.task) && this.#serves(run))
			.reduce<[bigint, Run] | undefined>(
				(least, entry) => (least && least[1].working <= entry[1].working ? least : entry),
				undefined,
			);
	}

	#serves({ batch: { region } }: Run): boolean {
		return region === '' || (this.parts.regions?.includes(region) ?? true);
	}
}
