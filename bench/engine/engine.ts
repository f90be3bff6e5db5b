import { Container } from '@n8n/di';
import { BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { Expression, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { IConnections, INode, INodeExecutionData, INodeType } from 'n8n-workflow';
import { additionalData } from '../../test/support/engine/additionalData.ts';
import type { BenchCredentials } from './credentials.ts';

/** A node and the code that it runs. */
export interface Step {
	node: Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters' | 'credentials'>;
	type: INodeType;
}

/** What n8n sets up before it runs workflows: binary data in files, expressions in an isolate. */
export async function startEngine(): Promise<void> {
	await Container.get(BinaryDataService).init();
	await Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

export async function stopEngine(): Promise<void> {
	await Expression.disposeExpressionEngine();
}

/** Runs the steps one behind the other in n8n-core, and returns the last one's items. */
export async function runSteps(
	steps: Step[],
	credentialsHelper: BenchCredentials,
): Promise<INodeExecutionData[]> {
	const nodes = steps.map(({ node }): INode => ({ ...node, id: node.name, position: [0, 0] }));
	const connections: IConnections = {};
	for (const [index, { name }] of nodes.slice(1).entries()) {
		const main = [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]];
		connections[nodes[index].name] = { main };
	}
	const types = new Map(steps.map(({ node, type }) => [node.type, type]));
	const typeOf = (name: string) => {
		const type = types.get(name);
		if (!type) throw new Error(`There is no node type ${name}`);
		return type;
	};
	const workflow = new Workflow({
		id: 'bench',
		nodes,
		connections,
		active: false,
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
	});
	const now = new Date();
	const hooks = new ExecutionLifecycleHooks('trigger', 'bench', {
		id: workflow.id,
		name: 'Bench',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes,
		connections,
	});
	const engine = new WorkflowExecute({ ...additionalData(credentialsHelper), hooks }, 'trigger');
	const { data } = await engine.run({ workflow, startNode: nodes[0] });
	const { runData, error } = data.resultData;
	if (error) throw error;
	return runData[nodes[nodes.length - 1].name]?.at(-1)?.data?.main?.[0] ?? [];
}

/** The node that a workflow begins with: one empty item. */
export const beginning: Step = {
	node: { name: 'Begin', type: 'bench.begin', typeVersion: 1, parameters: {} },
	type: codeType(() => [{ json: {} }]),
};

/** A node type that turns items into items, as the code of a Code node does. */
export function codeType(code: (items: INodeExecutionData[]) => INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Code',
			name: 'code',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute() {
			return await Promise.resolve([code(this.getInputData())]);
		},
	};
}
