import { inspect } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { runOn } from '../../support/engine/runNode';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

/** What came out of the node, and everything that it left behind anywhere. */
export interface Outcome {
	rows: IDataObject[];
	error?: FoundError;
	traces: string;
}

export interface FoundError {
	message: string;
	description: string;
	/** The code of the envelope, else the HTTP status, else "no answer". */
	shown: string;
}

/** Gets ready what must be there before a fault; what it returns runs the node once. */
export type Begin = (service: ScriptedService) => Promise<() => Promise<Outcome>>;

/** One execution of the node. */
export function execution(parameters: INodeParameters): Begin {
	return async (service) =>
		await Promise.resolve(async () => {
			const { items, rows, error, hints, run } = await runOn(service, parameters);
			return {
				rows: rows.map(known),
				error: error && found(error),
				traces: traces({ items, error, hints, run }),
			};
		});
}

/** A poll of the active trigger after a batch has ended. */
export function poll(
	parameters: INodeParameters,
	endBatch: (service: ScriptedService) => void,
): Begin {
	return async (service) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, ...parameters },
			service.credential,
		);
		await trigger.poll();
		endBatch(service);
		return async () => {
			try {
				const items = (await trigger.poll()) ?? [];
				const [warning] = trigger.warnings;
				return {
					rows: items.map(({ json }) => known(json)),
					error: warning && logged(warning),
					traces: traces({ items, warnings: trigger.warnings }),
				};
			} catch (thrown) {
				if (!(thrown instanceof NodeApiError)) throw thrown;
				return { rows: [], error: found(thrown), traces: traces(thrown) };
			}
		};
	};
}

/** The part of an item that does not differ from run to run. */
function known(json: IDataObject): IDataObject {
	const names = 'Name' in json ? ['Name'] : ['batchID', 'statusName'];
	return Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)));
}

function found({
	message,
	description,
	httpCode,
	context,
}: {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context: IDataObject;
}): FoundError {
	const status = httpCode ? `HTTP ${httpCode}` : 'no answer';
	const shown = typeof context.code === 'number' ? String(context.code) : status;
	return { message, description: description ?? '', shown };
}

/** The error of a poll that does not fail, because the next one reads the rows again. */
function logged({ text, details }: ActiveTrigger['warnings'][number]): FoundError {
	const { description, httpCode, code } = details;
	return found({
		message: text,
		description: typeof description === 'string' ? description : '',
		httpCode: typeof httpCode === 'string' ? httpCode : null,
		context: typeof code === 'number' ? { code } : {},
	});
}

/** All that is in a value, also what JSON leaves out: stacks, causes, hidden properties. */
function traces(value: unknown): string {
	const everything = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
	return inspect(value, { showHidden: true, ...everything }) + JSON.stringify(value);
}
