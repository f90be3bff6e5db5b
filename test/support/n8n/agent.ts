import { objectAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { cloudClient } from '../service/cloudClient';
import { startService } from '../service/startService';
import { startSite } from '../service/startSite';
import type { Site } from '../service/startSite';
import { extract, step, task, uuidOf } from '../service/taskFiles';
import { startChatModel, storeModel } from './chatModel';
import type { ChatModel, Replying } from './chatModel';
import { useStage } from './stage';
import { importTemplate, runTemplate } from './template';

/** The times that a run rests after its first rows, in milliseconds: one ends while an agent waits. */
const rests = { short: 4_000, long: 300_000 };

/**
 * Has the tests of a block talk with an agent of n8n that has the node's operations as its tools, and
 * two tasks of which a run rests for a while. To be called in a `describe`.
 */
export function useAgent() {
	let site: Site;
	const stage = useStage(async () => {
		site = await startSite(() => '<ul><li>one</li><li>two</li></ul>');
		const resting = (name: keyof typeof rests) =>
			task(name, [
				step('navigate', { url: site.baseUrl }),
				extract({ Name: {} }, 'li'),
				step('wait', { milliseconds: rests[name] }),
			]);
		return await startService({ tasks: { short: resting('short'), long: resting('long') } });
	});
	let model: ChatModel | undefined;

	afterEach(async () => {
		await model?.stop();
	});

	afterAll(async () => {
		await site?.stop();
	});

	return {
		/** Lets an agent work whose model says this. */
		converse: async (name: keyof typeof rests, replies: Replying[]) => {
			const scripted = await startChatModel(replies);
			model = scripted;
			const openAiApi = await storeModel(stage.n8n, scripted);
			const id = await importTemplate(
				stage.n8n,
				agentWorkflow(openAiApi, stage.credential, uuidOf(name)),
			);
			const { runs } = await runTemplate(stage.n8n, id);
			const { list } = await cloudClient(stage.service).batches(uuidOf(name));
			return { model: scripted, batches: list, said: objectAt(runs.Agent[0].items[0]).output };
		},
	};
}

/** The number that the latest answer of a tool gives for a batch. */
export function batchIn(answers: string[]): number {
	return Number(/"batchID":(\d+)/.exec(answers.at(-1) ?? '')?.[1]);
}

function agentWorkflow(openAiApi: string, cloudScrapingApi: string, taskId: string): JsonObject {
	const latest = 'When chat message received';
	const tool = (name: string, parameters: JsonObject) => ({
		name,
		type: 'n8n-nodes-cloud-scraping.cloudScrapingTool',
		typeVersion: 1,
		parameters: { descriptionType: 'auto', taskId, ...parameters },
		credentials: { cloudScrapingApi: { id: cloudScrapingApi, name: 'Test' } },
	});
	const byId: JsonObject = {
		operation: 'getData',
		batch: 'id',
		batchId: {
			__rl: true,
			mode: 'id',
			value: "={{ $fromAI('batch', 'The batchID of the run to read', 'number') }}",
		},
	};
	const tools = [
		tool('Start', { operation: 'start' }),
		tool('Runs', { operation: 'listBatches', limit: 5 }),
		tool('Run and wait', { operation: 'runAndGetData', timeout: 1 }),
		tool('Rows when done', { ...byId, options: { waitForEnd: true, pollInterval: 1 } }),
		tool('Rows so far', byId),
		tool('Stop', { operation: 'stop' }),
	];
	const nodes = [
		{
			name: latest,
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.1,
			parameters: { options: {} },
		},
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { options: {} },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: {} },
			credentials: { openAiApi: { id: openAiApi, name: 'Model' } },
		},
		...tools,
	];
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	return {
		name: 'A conversation',
		nodes: nodes.map((node, index) => ({ id: `n${index}`, position: [index * 200, 0], ...node })),
		connections: {
			[latest]: to('main'),
			Model: to('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
		},
		settings: { executionOrder: 'v1' },
		pinData: {
			[latest]: [{ json: { sessionId: 'test', action: 'sendMessage', chatInput: 'Scrape it' } }],
		},
	};
}
