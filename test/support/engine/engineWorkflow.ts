import './engineEnvironment';

import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypes,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';
import { additionalData } from './additionalData';
import { OneCredential } from './credentialsHelper';

/** How the node is set up in its workflow. */
export interface NodeSetup {
	parameters: INodeParameters;
	/** Credential of the node. */
	credential: ICredentialDataDecryptedObject;
	/** Items that the node gets; one empty item when absent. */
	input?: IDataObject[];
	/** Settings of the node, e.g. `{ continueOnFail: true }`. */
	settings?: Partial<INode>;
	/** How often the node runs in one execution, as it does in a loop. */
	runs?: number;
	/** What has started the execution: by hand when absent. */
	mode?: WorkflowExecuteMode;
}

/** A workflow of two nodes, one that hands out `input` and ours, and what n8n-core needs to run it. */
export function engineWorkflow({
	parameters,
	credential,
	input = [{}],
	settings,
	runs = 1,
}: NodeSetup) {
	const further = Array.from({ length: runs - 1 }, (_run, n) =>
		node(`Input ${n + 2}`, 'test.input', {}),
	);
	const nodes: INode[] = [
		node('Input', 'test.input', {}),
		{
			...node('Cloud Scraping', 'n8n-nodes-cloud-scraping.cloudScraping', parameters),
			credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
			...settings,
		},
		...further,
	];
	const to = ({ name }: INode) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });
	const connections: IConnections = {
		Input: { main: [[nodes[1], ...further].map(to)] },
		...Object.fromEntries(further.map(({ name }) => [name, { main: [[to(nodes[1])]] }])),
	};
	const nodeTypes = new TestNodeTypes(input);
	const workflow = new Workflow({ id: 'w1', nodes, connections, active: false, nodeTypes });
	const credentials = new OneCredential(credential);
	return {
		workflow,
		nodes,
		cloudScraping: nodes[1],
		connections,
		credentials,
		additionalData: additionalData(credentials),
	};
}

function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** What an agent does with its tool. */
export type AgentWork = (this: IExecuteFunctions) => Promise<void>;

/** A workflow of a node that hands out `input`, and an agent behind it with our node as its tool. */
export function agentWorkflow(
	{ parameters, credential, input = [{}], settings }: NodeSetup,
	work: AgentWork,
) {
	const nodes: INode[] = [
		node('Input', 'test.input', {}),
		node('Agent', 'test.agent', {}),
		{
			...node('Tool', 'n8n-nodes-cloud-scraping.cloudScrapingTool', parameters),
			credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
			...settings,
		},
	];
	const { Main, AiTool } = NodeConnectionTypes;
	const connections: IConnections = {
		Input: { [Main]: [[{ node: 'Agent', type: Main, index: 0 }]] },
		Tool: { [AiTool]: [[{ node: 'Agent', type: AiTool, index: 0 }]] },
	};
	const nodeTypes = new TestNodeTypes(input, work);
	const workflow = new Workflow({ id: 'w1', nodes, connections, active: false, nodeTypes });
	const credentials = new OneCredential(credential);
	return { workflow, nodes, connections, additionalData: additionalData(credentials) };
}

interface TriggerSetup extends Pick<NodeSetup, 'parameters' | 'credential'> {
	/** The node's name; its ID stays. */
	name: string;
}

/** A workflow of the trigger alone; `staticData` is what n8n has stored with it. */
export function triggerWorkflow(
	{ parameters, credential, name }: TriggerSetup,
	staticData: IDataObject,
) {
	const trigger: INode = {
		...node('Trigger', 'n8n-nodes-cloud-scraping.cloudScrapingTrigger', parameters),
		name,
		credentials: { cloudScrapingApi: { id: '1', name: 'Cloud Scraping' } },
	};
	const workflow = new Workflow({
		id: 'w1',
		nodes: [trigger],
		connections: {},
		active: true,
		nodeTypes: new TestNodeTypes([]),
		staticData,
	});
	return { workflow, trigger, additionalData: additionalData(new OneCredential(credential)) };
}

class TestNodeTypes implements INodeTypes {
	readonly #types: Record<string, INodeType>;

	constructor(input: IDataObject[], work?: AgentWork) {
		this.#types = {
			'test.input': inputNode(input),
			'test.agent': agentNode(work),
			'n8n-nodes-cloud-scraping.cloudScraping': new CloudScraping(),
			// How n8n calls the node where an AI agent uses it as a tool.
			'n8n-nodes-cloud-scraping.cloudScrapingTool': asTool(new CloudScraping()),
			'n8n-nodes-cloud-scraping.cloudScrapingTrigger': new CloudScrapingTrigger(),
		};
	}

	getByName(name: string): INodeType {
		return this.#types[name];
	}

	getByNameAndVersion(name: string): INodeType {
		return this.#types[name];
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

function agentNode(work?: AgentWork): INodeType {
	const { description } = inputNode([]);
	const { Main, AiTool } = NodeConnectionTypes;
	return {
		description: { ...description, displayName: 'Agent', name: 'agent', inputs: [Main, AiTool] },
		async execute() {
			await work?.call(this);
			return [[]];
		},
	};
}

/** What n8n makes of a node that is usable as a tool. */
function asTool(node: INodeType): INodeType {
	node.description = { ...node.description, inputs: [], outputs: [NodeConnectionTypes.AiTool] };
	return node;
}
