import './engineEnvironment';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IRun,
	ITaskData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { ScriptedService } from '../scriptedService/scriptedService';
import { engineWorkflow } from './engineWorkflow';
import type { NodeSetup } from './engineWorkflow';

export interface NodeResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, which `onError: 'continueErrorOutput'` adds. */
	errorItems: INodeExecutionData[];
	/** The `json` of the items. */
	rows: IDataObject[];
	error?: NodeFailure;
	hints: string[];
	run: IRun;
	credentialLookups: number;
}

export interface NodeFailure {
	name: string;
	message: string;
	description: string;
	httpCode?: string | null;
	context: IDataObject;
}

/** Runs the node in n8n-core's own engine, behind a node that hands it `input`. */
export async function runNode(options: NodeSetup): Promise<NodeResult> {
	const { run, credentials } = startNode(options);
	return readResult(await run, credentials.lookups);
}

/** What the node made of a finished execution. */
function readResult(finished: IRun, credentialLookups = 0): NodeResult {
	const task = finished.data.resultData.runData['Cloud Scraping']?.at(-1);
	const items = task?.data?.main?.[0] ?? [];
	return {
		items,
		errorItems: task?.data?.main?.[1] ?? [],
		rows: items.map(({ json }) => json),
		error: task?.error === undefined ? undefined : toFailure(task),
		hints: (task?.hints ?? []).map(({ message }) => message),
		run: finished,
		credentialLookups,
	};
}

/** Runs the node on the task of a scripted service, unless the parameters name another. */
export async function runOn(
	{ credential, taskID }: Pick<ScriptedService, 'credential' | 'taskID'>,
	parameters: INodeParameters,
	setup: Partial<NodeSetup> = {},
): Promise<NodeResult> {
	return await runNode({ parameters: { taskId: taskID, ...parameters }, credential, ...setup });
}

/** Starts the node; `run.cancel()` is what n8n does when the user stops the execution. */
export function startNode(setup: NodeSetup) {
	const { credentials, ...parts } = engineWorkflow(setup);
	return { run: startWorkflow(parts, setup.mode), credentials };
}

/** Runs a workflow from its first node. */
export function startWorkflow(
	{
		workflow,
		nodes,
		connections,
		additionalData,
	}: Pick<
		ReturnType<typeof engineWorkflow>,
		'workflow' | 'nodes' | 'connections' | 'additionalData'
	>,
	mode: WorkflowExecuteMode = 'manual',
) {
	const hooks = new ExecutionLifecycleHooks(mode, 'e1', {
		id: workflow.id,
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes,
		connections,
	});
	const engine = new WorkflowExecute({ ...additionalData, hooks }, mode);
	return engine.run({ workflow, startNode: nodes[0] });
}

function toFailure({ error }: ITaskData): NodeFailure {
	const { name, message, description, context } = error ?? {};
	return {
		name: name ?? '',
		message: message ?? '',
		description: description ?? '',
		httpCode: error && 'httpCode' in error ? error.httpCode : undefined,
		context: context ?? {},
	};
}
