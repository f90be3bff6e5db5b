import type { IExecuteFunctions } from 'n8n-workflow';

import { isCancel } from '../api/cancel';
import { connect } from '../api/connection';
import { descriptionOf } from '../api/errors';
import { urgent } from '../hints';
import { isToolOfAgent } from '../output/toolAnswer';
import { redoLater } from '../retryOnFail';
import { operationError } from '../run';
import type { Operation, Run, WaitOutcome } from '../run';
import { textOf } from '../settings/fieldValues';
import { findOperation, operations } from './index';

/** Input items that are waited for at a time; when the wait for one ends, that for the next one begins. */
const maxWaits = 50;

/** An input item that is ready to be executed: there is nothing left to wait for. */
export interface ReadyItem {
	operation: Operation;
	run: Run;
	waited: WaitOutcome | undefined;
}

/** What undoes what was done for items, in the order in which it was done. */
export type Undos = Array<() => Promise<void>>;

/**
 * The waits of the input items, which are executed one after the other. What goes on without the node is
 * waited for side by side, from the first item on: five batches take as long as the slowest, and every
 * budget is watched all the time.
 */
export class ItemWaits {
	readonly #context: IExecuteFunctions;
	readonly #undos: Undos;
	readonly #end = new AbortController();
	readonly #begun: Array<Promise<ReadyItem>> = [];

	constructor(context: IExecuteFunctions, undos: Undos) {
		this.#context = context;
		this.#undos = undos;
	}

	/** Resolves when there is nothing left to wait for. */
	async ready(itemIndex: number): Promise<ReadyItem> {
		if (itemIndex === 0) this.#waitSideBySide();
		return await (this.#begun[itemIndex] ?? this.#begin(itemIndex));
	}

	/**
	 * For when the node fails at an item: ends the waits for the others, but for batches with a budget,
	 * which are watched to their end. Resolves when none is left, to what has to be said of them.
	 */
	async endOthers(failedItem: number): Promise<string[]> {
		this.#end.abort();
		const others = this.#begun.filter((_, itemIndex) => itemIndex !== failedItem);
		const ended = await Promise.allSettled(others);
		return ended.flatMap((item) => {
			if (item.status === 'fulfilled') return item.value.waited ? urgent(item.value.run.notes) : [];
			const why = item.reason instanceof Error ? item.reason : new Error(String(item.reason));
			return isCancel(why) ? [] : [[why.message, descriptionOf(why)].join('\n')];
		});
	}

	#waitSideBySide(): void {
		const { length } = this.#context.getInputData();
		if (length === 1 || !chosenOperation(this.#context, 0).waitFor) return;
		for (let itemIndex = 0; itemIndex < length; itemIndex++) {
			const before = this.#begun[itemIndex - maxWaits]?.catch(() => {});
			const item = (before ?? Promise.resolve()).then(async () => await this.#begin(itemIndex));
			// What fails is said when the item is asked for.
			item.catch(() => {});
			this.#begun.push(item);
		}
	}

	async #begin(itemIndex: number): Promise<ReadyItem> {
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
		throw operationError(
			{ context, itemIndex },
			`There is no operation "${name}"`,
			`Choose one from the list; an expression must return one of ${known}.`,
		);
	}
	return operation;
}
