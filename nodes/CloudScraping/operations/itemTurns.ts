import type { IExecuteFunctions } from 'n8n-workflow';

import { isCancel } from '../api/cancel';
import { connect } from '../api/connection';
import { descriptionOf } from '../api/errors';
import { urgent } from '../hints';
import { isToolOfAgent } from '../output/toolAnswer';
import { redoLater } from '../retryOnFail';
import type { Operation, Run, Waited } from '../run';
import { invalid, textOf } from '../settings/fieldValues';
import { findOperation, operations } from './index';

/** Input items that are waited for at a time; when one of them has ended, the next one's turn comes. */
const mostWaits = 50;

/** What the node does for an input item when its turn comes. */
export interface Turn {
	operation: Operation;
	run: Run;
	waited: Waited | undefined;
}

/** What undoes what was done for items, in the order in which it was done. */
export type Undos = Array<() => Promise<void>>;

/**
 * The turns of the input items: one after the other. Only what goes on without the node is waited for
 * side by side, from the first turn on: five runs take as long as the slowest, and every budget is
 * watched all the time.
 */
export class ItemTurns {
	readonly #context: IExecuteFunctions;
	readonly #undos: Undos;
	readonly #end = new AbortController();
	readonly #begun: Array<Promise<Turn>> = [];

	constructor(context: IExecuteFunctions, undos: Undos) {
		this.#context = context;
		this.#undos = undos;
	}

	/** Resolves when there is nothing left to wait for. */
	async of(itemIndex: number): Promise<Turn> {
		if (itemIndex === 0) this.#waitSideBySide();
		return await (this.#begun[itemIndex] ?? this.#begin(itemIndex));
	}

	/**
	 * For when the node fails at an item: ends the waits for the others, but for runs with a budget,
	 * which are watched to their end. Resolves when none is left, to what has to be said of them.
	 */
	async endBut(failedItem: number): Promise<string[]> {
		this.#end.abort();
		const others = this.#begun.filter((_, itemIndex) => itemIndex !== failedItem);
		const ended = await Promise.allSettled(others);
		return ended.flatMap((turn) => {
			if (turn.status === 'fulfilled') return turn.value.waited ? urgent(turn.value.run.notes) : [];
			const why = turn.reason instanceof Error ? turn.reason : new Error(String(turn.reason));
			return isCancel(why) ? [] : [[why.message, descriptionOf(why)].join('\n')];
		});
	}

	#waitSideBySide(): void {
		const { length } = this.#context.getInputData();
		if (length === 1 || !chosenOperation(this.#context, 0).waitFor) return;
		for (let itemIndex = 0; itemIndex < length; itemIndex++) {
			const before = this.#begun[itemIndex - mostWaits]?.catch(() => {});
			const turn = (before ?? Promise.resolve()).then(async () => await this.#begin(itemIndex));
			// What fails is said when its turn comes.
			turn.catch(() => {});
			this.#begun.push(turn);
		}
	}

	async #begin(itemIndex: number): Promise<Turn> {
		const operation = chosenOperation(this.#context, itemIndex);
		const run = await this.#runOf(itemIndex);
		const waited = await operation.waitFor?.(run, this.#end.signal);
		return { operation, run, waited };
	}

	async #runOf(itemIndex: number): Promise<Run> {
		const run: Run = {
			context: this.#context,
			connection: await connect(this.#context, itemIndex),
			itemIndex,
			isTool: isToolOfAgent(this.#context),
			notes: { hints: [] },
			itemsBefore: 0,
			undoOnFailure: (undo, redo) => {
				this.#undos.push(async () => {
					await undo();
					redoLater(run, redo);
				});
			},
		};
		return run;
	}
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const name = textOf(context.getNodeParameter('operation', itemIndex));
	const operation = findOperation(name);
	if (!operation) {
		const known = operations.map(({ entry }) => entry.value).join(', ');
		throw invalid(
			{ context, itemIndex },
			`There is no operation "${name}"`,
			`Choose one from the list; an expression must return one of ${known}.`,
		);
	}
	return operation;
}
