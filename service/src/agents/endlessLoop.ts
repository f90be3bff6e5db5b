import type { FastifyBaseLogger } from 'fastify';
import type { Page } from '../pages/page.ts';
import type { Step } from '../tasks/task.ts';
import { listOf, readsRows } from './pageReadings.ts';
import { ShownRows } from './shownRows.ts';

/** A loop without a number ends when so many rounds in a row have brought no new row. */
const maxBarrenRounds = 50;
/**
 * The same for one that reads no rows, but adds to a list: each such round may show once more what is there. Where
 * rows only change, as those with a clock, it is `maxBarrenRounds`.
 */
const maxBarrenListRounds = 10;

/** A loop without a number: whether its rounds still bring anything new. */
export class EndlessLoop {
	readonly #list: ShownRows | undefined;
	#barren = 0;
	/** Rounds in a row in which the list has not grown. */
	#still = 0;

	/** Of a loop with these steps, and those `behind` it. */
	constructor(page: Pick<Page, 'fingerprint'>, steps: Step[], behind: Step[]) {
		this.#list = readsRows(steps) ? undefined : new ShownRows(page, listOf(steps, behind));
	}

	/** Whether it adds to a list that is read behind it. */
	get isOfList(): boolean {
		return this.#list !== undefined;
	}

	/** After a round on the open page, which has found new rows or not. */
	async note(hasFound: boolean): Promise<void> {
		const { isNew, isLonger } = (await this.#list?.add()) ?? {
			isNew: hasFound,
			isLonger: hasFound,
		};
		this.#barren = isNew ? 0 : this.#barren + 1;
		this.#still = isLonger ? 0 : this.#still + 1;
	}

	/** The page was opened again after so many rounds: as many may show once more what these did. */
	beginAnew(rounds: number): void {
		this.#barren = Math.min(this.#barren, 0) - rounds;
		this.#still = Math.min(this.#still, 0) - rounds;
	}

	/** Whether round after round has brought nothing new. */
	get isOver(): boolean {
		return this.#reason !== undefined;
	}

	get #reason(): string | undefined {
		const most = this.#list ? maxBarrenListRounds : maxBarrenRounds;
		if (this.#barren >= most) return `no new row in ${most} rounds`;
		if (this.#still >= maxBarrenRounds) return `no more rows in ${maxBarrenRounds} rounds`;
		return undefined;
	}

	/** Warns of what is odd about the loop in the end. */
	tell(
		log: Pick<FastifyBaseLogger, 'warn'>,
		{ url, rounds }: { url: string; rounds: number },
	): void {
		const reason = this.#reason;
		if (reason) log.warn({ url, rounds, reason }, 'loop ended');
		if (!this.#list?.holdsAPart) return;
		const oddity =
			'the list has shown other rows in the place of those before, and only those that it shows at the end are read behind the loop; an extractData inside of the loop reads all, and those that stay for a while more than once';
		log.warn({ url, reason: oddity }, 'list holds a part');
	}
}
