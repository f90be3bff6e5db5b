import type { INodeParameters } from 'n8n-workflow';

import { agentWorkflow } from '../../support/engine/engineWorkflow';
import type { AgentWork, NodeSetup } from '../../support/engine/engineWorkflow';
import { startWorkflow } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

interface Tool {
	invoke(values: object): Promise<string>;
}

/** n8n tries the tool of an agent again by other means than a node of a workflow. */
describe('calls by an AI agent', () => {
	const service = useScriptedService();

	async function callAsAgent(
		parameters: INodeParameters,
		call: (toolOf: (itemIndex: number) => Promise<Tool>) => Promise<string[]>,
		setup: Partial<NodeSetup> = {},
	): Promise<string[]> {
		let answers: string[] = [];
		const work: AgentWork = async function () {
			answers = await call(async (itemIndex) => {
				const tools = await this.getInputConnectionData('ai_tool', itemIndex);
				return (tools as Tool[])[0];
			});
		};
		const { credential, taskID } = service;
		const nodeSetup = { parameters: { taskId: taskID, ...parameters }, credential, ...setup };
		const { data } = await startWorkflow(agentWorkflow(nodeSetup, work));
		expect(data.resultData.error).toBeUndefined();
		return answers;
	}

	/** What a call says; n8n 2 rejects where n8n 1 answers with the error's text. */
	const answerOf = async (tool: Tool, values: object = {}) =>
		await tool.invoke(values).catch((error: Error) => error.message);

	test('a start whose answer was lost is not sent again', async () => {
		service.script('start', reset);
		const [answer] = await callAsAgent(
			{ operation: 'start' },
			async (toolOf) => [await answerOf(await toolOf(0))],
			{ settings: retryOnFail },
		);
		expect(answer).toContain('is not started again in this execution');
		expect(answer).toContain('Could not reach 127.0.0.1');
		expect(answer).toContain('Check List Batches before you start it again.');
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('a read that fails behind a run is tried again without a second run', async () => {
		service.script('start', () =>
			success(asStarted(service.addBatch({ rows: ['{"n":1}', '{"n":2}'] }))),
		);
		service.script('data', refusal(9000002, 'hiccup'), { times: 1 });
		const [answer] = await callAsAgent(
			{ operation: 'runAndGetData', options: { pollInterval: 1 } },
			async (toolOf) => [await answerOf(await toolOf(0))],
			{ settings: retryOnFail },
		);
		expect(JSON.parse(answer)).toEqual([{ n: 1 }, { n: 2 }]);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('each call starts a run of its own, also where an agent works on several items', async () => {
		const answers = await callAsAgent(
			{ operation: 'start', nodeCount: "={{ $fromAI('agents', '', 'number') }}" },
			async (toolOf) => {
				const [first, second] = [await toolOf(0), await toolOf(1)];
				return [await first.invoke({ agents: 1 }), await second.invoke({ agents: 2 })];
			},
			{ input: [{}, {}] },
		);
		expect(service.sentTo('start')).toHaveLength(2);
		expect(new Set(answers).size).toBe(2);
	});

	test('what an agent gives may be part of a text; a call that leaves it out starts nothing', async () => {
		const url = "=https://shop.example/p/{{ $fromAI('product', '', 'json').sku }}";
		const [, without] = await callAsAgent(
			{ operation: 'start', actionParams: { navigate: [{ id: 'a', url }] } },
			async (toolOf) => {
				const tool = await toolOf(0);
				return [
					await tool.invoke({ product: { sku: 'a1' } }),
					await answerOf(tool, { product: { SKU: 'a2' } }),
					await tool.invoke({ product: { sku: 'a3' } }),
				];
			},
		);
		expect(without).toContain('Navigate: URL 1: URL is incomplete');
		expect(service.sentTo('start').map(({ body }) => body.actionParams)).toEqual([
			'[{"id":"a","value":"https://shop.example/p/a1"}]',
			'[{"id":"a","value":"https://shop.example/p/a3"}]',
		]);
	});
});
