import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { throwIfCancelled } from '../api/cancel';
import { cancelSignalOf } from '../api/connection';
import { describeMore, descriptionOf } from '../api/errors';
import { logWarning, showHints } from '../hints';
import type { Notes } from '../hints';
import { boundedAnswer, isToolOfAgent } from '../output/toolAnswer';
import { executeOnce } from '../retryOnFail';
import type { Run } from '../run';
import { paidFor, startedBatch } from '../sentOnce';
import { allInMessage } from '../wholeMessage';
import { failedItem, nodeError } from './failedItem';
import { ItemWaits } from './itemWaits';
import type { Undos } from './itemWaits';

/**
 * Runs the chosen operation for each input item, one after the other: 50 items must not start 50
 * batches at once. With "continue on fail" an item that fails becomes an item that says why.
 */
export async function executeOperations(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const notes: Notes[] = [];
	const undos: Undos = [];
	const waits = new ItemWaits(this, undos);
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		const undosBefore = undos.length;
		let run: Run | undefined;
		try {
			const ready = await waits.ready(itemIndex);
			({ run } = ready);
			notes.push(run.notes);
			run.itemsBefore = output.length;
			const items = await executeOnce(
				run,
				async () => await ready.operation.execute(ready.run, ready.waited),
			);
			// n8n drops the output of a cancelled execution: what was remembered of it must go, too.
			throwIfCancelled(run.connection);
			for (const item of items) output.push(item);
		} catch (error) {
			const failure = nodeError(this, error, itemIndex);
			const goesOn = this.continueOnFail() && !cancelSignalOf(this)?.aborted;
			// Only the failed item is lost when the node goes on; else nothing of the node comes out.
			for (const undo of undos.splice(goesOn ? undosBefore : 0).reverse()) {
				await undo().catch((problem: Error) =>
					logWarning(this, `Rows stay remembered as returned: ${problem.message}`, problem),
				);
			}
			if (!goesOn) {
				for (const said of await waits.endOthers(itemIndex)) describeMore(failure, said);
				namePaidFor(this, failure, itemIndex);
				throw isToolOfAgent(this) ? allInMessage(failure) : failure;
			}
			output.push(failedItem(this, failure, itemIndex, run && startedBatch(run)));
		}
	}
	showHints(this, notes);
	return [isToolOfAgent(this) ? boundedAnswer(output, notes) : output];
}

/** Nothing of the node comes out: whoever starts it again should know what was started. */
function namePaidFor(context: IExecuteFunctions, failure: Error, itemIndex: number): void {
	const run = { context, itemIndex };
	describeMore(failure, paidFor(run, `${failure.message} ${descriptionOf(failure)}`));
	if (!cancelSignalOf(context)?.aborted) return;
	const paid = paidFor(run);
	if (paid !== '') logWarning(context, `The execution was cancelled. ${paid}`);
}
