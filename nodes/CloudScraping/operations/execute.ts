import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, throwIfCancelled } from '../api/connection';
import type { Connection } from '../api/connection';
import { ExecutionMemory } from '../retryOnFail';
import { failedItem, nodeError } from './failedItem';
import { getData } from './getData';
import { showHints } from '../hints';
import type { Notes } from '../hints';
import { listBatches } from './listBatches';
import type { Operation, Run } from '../run';
import { invalid, textOf } from '../settings/parameters';
import { runAndGetData } from './runAndGetData';
import { startedBatch } from './startOnce';
import { startTask } from './startTask';
import { stopTask } from './stopTask';

/** The operations by the value of the parameter "operation". */
export const operations: Readonly<Record<string, Operation>> = {
	getData,
	listBatches,
	runAndGetData,
	start: startTask,
	stop: stopTask,
};

/** What items have become in an earlier try of "Retry On Fail", and what is to be said of it. */
const results = new ExecutionMemory<{ items: INodeExecutionData[]; notes: Notes }>();

/**
 * Runs the chosen operation for each input item, one after the other: 50 items must not start 50
 * runs at once. With "continue on fail" an item that fails becomes an item that says why.
 */
export async function executeOperations(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const notes: Notes[] = [];
	const undos: Array<() => Promise<void>> = [];
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		const undosBefore = undos.length;
		let run: Run | undefined;
		try {
			const operation = chosenOperation(this, itemIndex);
			const connection = await connect(this, itemIndex);
			run = runOf(this, connection, itemIndex, output.length, undos);
			notes.push(run.notes);
			const items = await executeOnce(run, operation);
			// n8n drops the output of a cancelled execution: what was remembered of it must go, too.
			throwIfCancelled(connection);
			for (const item of items) output.push(item);
		} catch (error) {
			const failure = nodeError(this, error, itemIndex);
			const goesOn = this.continueOnFail() && !run?.connection.cancelSignal?.aborted;
			// Only the failed item is lost when the node goes on; else nothing of the node comes out.
			for (const undo of undos.splice(goesOn ? undosBefore : 0).reverse()) await undo();
			if (!goesOn) throw failure;
			output.push(failedItem(this, failure, itemIndex, run && startedBatch(run)));
		}
	}
	showHints(this, notes);
	return [output];
}

function runOf(
	context: IExecuteFunctions,
	connection: Connection,
	itemIndex: number,
	itemsBefore: number,
	undos: Array<() => Promise<void>>,
): Run {
	const run: Run = {
		context,
		connection,
		itemIndex,
		notes: { hints: [] },
		itemsBefore,
		undoOnFailure: (undo) => {
			undos.push(async () => {
				// What is undone must be done again.
				results.delete(run);
				await undo();
			});
		},
	};
	return run;
}

/**
 * Executes the operation, unless an earlier try of the node has done so for this item. n8n tries the
 * whole node again when a later item fails, and also when the first row has a column "error": rows
 * that were remembered as returned would not come again, and a run would be started twice.
 */
async function executeOnce(run: Run, operation: Operation): Promise<INodeExecutionData[]> {
	const earlier = results.get(run);
	if (earlier) {
		Object.assign(run.notes, earlier.notes);
		return earlier.items;
	}
	const items = await operation.execute(run);
	if (run.context.getNode().retryOnFail) results.set(run, { items, notes: run.notes });
	return items;
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const name = textOf(context.getNodeParameter('operation', itemIndex));
	const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (!operation) {
		const known = Object.keys(operations).join(', ');
		throw invalid(
			{ context, itemIndex },
			`There is no operation "${name}"`,
			`Choose one of the list; an expression must yield one of ${known}.`,
		);
	}
	return operation;
}
