import { Counter, Histogram, type Registry } from 'prom-client';
import { failureKinds, type FailureKind, type Tally } from '../agents/tally.ts';
import { status, type Batch } from '../store/batch.ts';
import type { Task } from '../tasks/task.ts';

/** Seconds of the steps by which pages are told apart, and the waiting times of batches. */
const pageSteps = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const waitSteps = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/** What the agents of this process have done since its start, for Prometheus. */
export class WorkTally implements Tally {
	readonly #pages: Histogram<'page' | 'result'>;
	readonly #failures: Counter<'kind'>;
	readonly #rows: Counter;
	readonly #jobs: Counter;
	readonly #batches: Counter<'state'>;
	readonly #waits: Histogram;

	constructor(registry: Registry) {
		const registers = [registry];
		this.#pages = new Histogram({
			registers,
			name: 'cloud_scraping_page_seconds',
			help: 'Seconds from asking for a page until it is there, or has failed; each try counts',
			labelNames: ['page', 'result'],
			buckets: pageSteps,
		});
		this.#failures = new Counter({
			registers,
			name: 'cloud_scraping_failed_pages_total',
			help: 'Pages that were given up: the site refused for now (answer) or could not be reached (network), the browser failed, the page is not what the task needs (page), or nobody has foreseen it',
			labelNames: ['kind'],
		});
		this.#rows = new Counter({
			registers,
			name: 'cloud_scraping_rows_total',
			help: 'Rows that agents have stored; those of a page that was read again are counted again',
		});
		this.#jobs = new Counter({
			registers,
			name: 'cloud_scraping_jobs_done_total',
			help: 'Jobs that agents have done',
		});
		this.#batches = new Counter({
			registers,
			name: 'cloud_scraping_batches_ended_total',
			help: 'Batches that have ended, by the process that has ended them',
			labelNames: ['state'],
		});
		this.#waits = new Histogram({
			registers,
			name: 'cloud_scraping_batch_wait_seconds',
			help: 'Seconds that batches had waited for their first agent, counted at their end',
			buckets: waitSteps,
		});
		// What has not happened yet counts as 0: who watches for the first one sees it come.
		for (const kind of failureKinds) this.#failures.inc({ kind }, 0);
		for (const state of ['successful', 'stopped']) this.#batches.inc({ state }, 0);
	}

	page(page: Task['page'], result: 'opened' | 'failed', seconds: number): void {
		this.#pages.observe({ page, result }, seconds);
	}

	failure(kind: FailureKind): void {
		this.#failures.inc({ kind });
	}

	rows(count: number): void {
		this.#rows.inc(count);
	}

	jobDone(): void {
		this.#jobs.inc();
	}

	batchEnded({ status: is, createTime, startTime }: Batch): void {
		this.#batches.inc({ state: is === status.successful ? 'successful' : 'stopped' });
		if (startTime > 0) this.#waits.observe(Math.max(0, startTime - createTime) / 1000);
	}
}
