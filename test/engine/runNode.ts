import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes its settings below this folder as soon as it is loaded.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-engine-'));

import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { CloudScraping } from '../../nodes/CloudScraping/CloudScraping.node';
import { OneCredential } from './credentialsHelper';

export interface NodeRun {
	parameters: INodeParameters;
	/** Credential of the node. */
	credential: ICredentialDataDecryptedObject;
	/** Items that the node gets; one empty item when absent. */
	input?: IDataObject[];
	/** Settings of the node, e.g. `{ continueOnFail: true }`. */
	settings?: Partial<INode>;
}

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
export async function runNode(options: NodeRun): Promise<NodeResult> {
	const { run, credentials } = startNode(options);
	const finished = await run;
	const task = finished.data.resultData.runData['Cloud Scraping']?.at(-1);
	const items = task?.data?.main?.[0] ?? [];
	return {
		items,
		errorItems: task?.data?.main?.[1] ?? [],
		rows: items.map(({ json }) => json),
		error: task?.error === undefined ? undefined : toFailure(task),
		hints: (task?.hints ?? []).map(({ message }) => message),
		run: finished,
		credentialLookups: credentials.lookups,
	};
}

/** Starts the node; `run.cancel()` is what n8n does when the user stops the execution. */
export function startNode({ parameters, credential, input = [{}], settings }: NodeRun) {
	const nodes: INode[] = [
		node('Input', 'test.input', {}),
		{
			...node('Cloud Scraping', 'n8n-nodes-cloud-scraping.cloudScraping', parameters),
			credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
			...settings,
		},
	];
	const connections = {
		Input: {
			main: [[{ node: 'Cloud Scraping', type: NodeConnectionTypes.Main, index: 0 }]],
		},
	};
	const nodeTypes = new TestNodeTypes(input);
	const workflow = new Workflow({ id: 'w1', nodes, connections, active: false, nodeTypes });
	const credentials = new OneCredential(credential);
	const hooks = new ExecutionLifecycleHooks('manual', 'e1', {
		id: 'w1',
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes,
		connections,
	});
	const engine = new WorkflowExecute(additionalData(credentials, hooks), 'manual');
	return { run: engine.run({ workflow, startNode: nodes[0] }), credentials };
}

function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

class TestNodeTypes implements INodeTypes {
	private readonly types: Record<string, INodeType>;

	constructor(input: IDataObject[]) {
		this.types = {
			'test.input': inputNode(input),
			'n8n-nodes-cloud-scraping.cloudScraping': new CloudScraping(),
		};
	}

	getByName(name: string): INodeType {
		return this.types[name];
	}

	getByNameAndVersion(name: string): INodeType {
		return this.types[name];
	}

	getKnownTypes(): IDataObject {
		return {};
	}
}

function inputNode(input: IDataObject[]): INodeType {
	return {
		description: {
			displayName: 'Input',
			name: 'input',
			group: ['input'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: async () => await Promise.resolve([input.map((json) => ({ json }))]),
	};
}

function additionalData(
	credentialsHelper: OneCredential,
	hooks: ExecutionLifecycleHooks,
): IWorkflowExecuteAdditionalData {
	const unused = async () => await Promise.reject(new Error('Not part of the engine tests'));
	const noAddress = 'http://127.0.0.1/';
	return {
		credentialsHelper,
		hooks,
		externalSecretsProxy: new ExternalSecretsProxy(),
		executionId: 'e1',
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		startRunnerTask: unused,
		currentNodeExecutionIndex: 0,
		restApiUrl: noAddress,
		instanceBaseUrl: noAddress,
		formBaseUrl: noAddress,
		formWaitingBaseUrl: noAddress,
		formTestBaseUrl: noAddress,
		webhookBaseUrl: noAddress,
		webhookWaitingBaseUrl: noAddress,
		webhookTestBaseUrl: noAddress,
		mcpBaseUrl: noAddress,
		mcpTestBaseUrl: noAddress,
		variables: {},
		logAiEvent: () => {},
	};
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
