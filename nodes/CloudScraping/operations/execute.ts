import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { throwIfCancelled } from '../api/cancel';
import { connect } from '../api/connection';
import type { Connection } from '../api/connection';
import { logWarning, showHints } from '../hints';
import type { Notes } from '../hints';
import { executeOnce, forgetResult, startedBatch } from '../retryOnFail';
import type { Operation, Run } from '../run';
import { invalid, textOf } from '../settings/fieldValues';
import { failedItem, nodeError } from './failedItem';
import { findOperation, operations } from './index';

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
			const items = await executeOnce(run, operation.execute);
			// n8n drops the output of a cancelled execution: what was remembered of it must go, too.
			throwIfCancelled(connection);
			for (const item of items) output.push(item);
		} catch (error) {
			const failure = nodeError(this, error, itemIndex);
			const goesOn = this.continueOnFail() && !run?.connection.cancelSignal?.aborted;
			// Only the failed item is lost when the node goes on; else nothing of the node comes out.
			for (const undo of undos.splice(goesOn ? undosBefore : 0).reverse()) {
				await undo().catch((error: Error) =>
					logWarning(this, `Rows stay remembered as returned: ${error.message}`, error),
				);
			}
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
				forgetResult(run);
				await undo();
			});
		},
	};
	return run;
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const name = textOf(context.getNodeParameter('operation', itemIndex));
	const operation = findOperation(name);
	if (!operation) {
		const known = operations.map(({ entry }) => entry.value).join(', ');
		throw invalid(
			{ context, itemIndex },
			`There is no operation "${name}"`,
			`Choose one of the list; an expression must yield one of ${known}.`,
		);
	}
	return operation;
}
