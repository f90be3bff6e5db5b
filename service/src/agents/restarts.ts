import { PageError, type Bookmark } from '../pages/page.ts';
import type { RoundLoop } from '../tasks/task.ts';
import type { EndlessLoop } from './endlessLoop.ts';

/** The list of a loop by scroll is gone, and its address would bring another one: what has led to it is done again. */
export class LostList extends PageError {}

/** Loops by scroll whose page was open no more, as after a crash of the browser. */
export class Restarts {
	/** After how many rounds their lists were lost. */
	readonly #lost = new Map<object, number>();

	/** A loop begins: one whose list was lost shows it from its start. */
	begin(loop: RoundLoop, endless: EndlessLoop | undefined): void {
		endless?.beginAnew(this.#lost.get(loop) ?? 0);
		this.#lost.delete(loop);
	}

	/**
	 * Before the way back to the page of a round, `here`; throws a LostList where that would bring another list.
	 * `comesAgain`: the address of the page brings what the loop reads.
	 */
	check(
		loop: RoundLoop,
		round: number,
		{
			here,
			comesAgain,
			endless,
		}: { here: Bookmark; comesAgain: boolean; endless: EndlessLoop | undefined },
	): void {
		if (loop.loopType !== 'scroll' || here.isOpen()) return;
		if (comesAgain) return endless?.beginAnew(round);
		this.#lost.set(loop, round);
		const reason = 'The page was gone, and its address does not bring what steps have made of it.';
		throw new LostList(reason, { outage: { of: 'browser' } });
	}
}

/** What the steps around a loop by scroll take for a failure, to be tried again: the loop itself cannot go on. */
export async function aroundScroll(work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (!(error instanceof LostList)) throw error;
		throw new PageError(error.message, { outage: { of: 'browser' } });
	}
}
