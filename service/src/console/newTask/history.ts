import type { Pointing } from './pointings.ts';

/** What of a pointing is brought back by an undo. */
type State = Pick<
	Pointing,
	'draft' | 'list' | 'offer' | 'detail' | 'shown' | 'foundOnNext' | 'aim' | 'one'
>;

/** Steps that can be undone. */
const maxSteps = 100;

/** What a pointing is now, apart from what will become of it. */
export function stateOf({ draft, ...pointing }: Pointing): State {
	const { list, offer, detail, shown, foundOnNext, aim, one } = pointing;
	return { draft: structuredClone(draft), list, offer, detail, shown, foundOnNext, aim, one };
}

/** What was done to a draft, one thing after the other: each can be undone, and redone. */
export class History {
	#undone: State[] = [];
	readonly #done: State[] = [];

	get canUndo(): boolean {
		return this.#done.length > 0;
	}

	get canRedo(): boolean {
		return this.#undone.length > 0;
	}

	/** Something was done; what has changed nothing but where one looks is nothing to be undone. */
	note(before: State, now: State): void {
		if (saidOf(before) === saidOf(now)) return;
		this.#done.push(before);
		if (this.#done.length > maxSteps) this.#done.shift();
		this.#undone = [];
	}

	undo(pointing: Pointing): void {
		move(pointing, this.#done, this.#undone);
	}

	redo(pointing: Pointing): void {
		move(pointing, this.#undone, this.#done);
	}
}

function move(pointing: Pointing, from: State[], to: State[]): void {
	const state = from.pop();
	if (!state) return;
	to.push(stateOf(pointing));
	// The task's name is entered elsewhere.
	const { name } = pointing.draft;
	Object.assign(pointing, state);
	pointing.draft.name = name;
}

function saidOf({ draft, one }: State): string {
	return JSON.stringify([draft, one?.number]);
}
