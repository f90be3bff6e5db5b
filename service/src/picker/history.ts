import type { PickerState } from './state.ts';

/** Steps that can be undone. */
const maxSteps = 100;

/** What a session is now, apart from what will become of it. */
export function stateOf({ draft, ...session }: PickerState): PickerState {
	const { list, unopened, ledFrom, asksForPassword, offer } = session;
	const { detail, shown, foundOnNext, aim, one } = session;
	const opened = { list, unopened, ledFrom, asksForPassword, offer };
	return { draft: structuredClone(draft), ...opened, detail, shown, foundOnNext, aim, one };
}

/** What was done to a draft, one thing after the other: each can be undone, and redone. */
export class History {
	#undone: PickerState[] = [];
	readonly #done: PickerState[] = [];

	get canUndo(): boolean {
		return this.#done.length > 0;
	}

	get canRedo(): boolean {
		return this.#undone.length > 0;
	}

	/** Something was done; what has changed nothing but where one looks is nothing to be undone. */
	note(before: PickerState, now: PickerState): void {
		if (saidOf(before) === saidOf(now)) return;
		this.#done.push(before);
		if (this.#done.length > maxSteps) this.#done.shift();
		this.#undone = [];
	}

	undo(session: PickerState): void {
		move(session, this.#done, this.#undone);
	}

	redo(session: PickerState): void {
		move(session, this.#undone, this.#done);
	}
}

function move(session: PickerState, from: PickerState[], to: PickerState[]): void {
	const state = from.pop();
	if (!state) return;
	to.push(stateOf(session));
	// The task's name is entered elsewhere.
	const { name } = session.draft;
	Object.assign(session, state);
	session.draft.name = name;
}

function saidOf({ draft, one }: PickerState): string {
	return JSON.stringify([draft, one?.number, one?.unlike?.number]);
}
