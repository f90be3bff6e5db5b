import { objectAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { useStage } from '../../support/n8n/stage';
import { importTemplate, runTemplate } from '../../support/n8n/template';
import { cloudClient } from '../../support/service/cloudClient';
import { startService } from '../../support/service/startService';
import { startSite } from '../../support/service/startSite';
import type { Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { startChatModel, storeModel } from './chatModel';
import type { ChatModel, Replying } from './chatModel';

/** The times that a run rests after its first rows, in milliseconds: one ends while an agent waits. */
const rests = { short: 4_000, long: 300_000 };

describe('an agent that starts a run, asks for its status and reads its rows, in a real n8n', () => {
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

	/** Lets an agent work whose model says this, with the node's operations as its tools. */
	async function converse(name: keyof typeof rests, replies: Replying[]) {
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
	}

	/** The number that the latest answer of a tool gives for a batch. */
	const batchIn = (answers: string[]) => Number(/"batchID":(\d+)/.exec(answers.at(-1) ?? '')?.[1]);

	it('three calls: start, status, rows when they are all there', async () => {
		const {
			model: asked,
			batches,
			said,
		} = await converse('short', [
			{ tool: 'Start', input: {} },
			{ tool: 'Runs', input: {} },
			(answers) => ({ tool: 'Rows_when_done', input: { batch: batchIn(answers) } }),
			{ answer: 'one and two' },
		]);
		expect(said).toBe('one and two');
		const [started, listed, rows] = asked.toolAnswers();
		expect(batches).toHaveLength(1);
		expect(started).toContain(`"batchID":${batches[0].batchID}`);
		expect(started).toContain('"statusName":"waiting"');
		expect(listed).toMatch(/"statusName":"(waiting|running)"/);
		expect(JSON.parse(rows)).toEqual([{ Name: 'one' }, { Name: 'two' }]);
		expect(asked.descriptions()).toEqual({
			Start: 'Start a task in Cloud Scraping',
			Runs: 'List the batches of a task in Cloud Scraping',
			Run_and_wait: 'Run a task and get its data in Cloud Scraping',
			Rows_when_done: 'Get the data of a batch in Cloud Scraping',
			Rows_so_far: 'Get the data of a batch in Cloud Scraping',
			Stop: 'Stop a task in Cloud Scraping',
		});
	}, 120_000);

	it('a run that takes longer than an agent should wait is asked for again, and started once', async () => {
		const { model: asked, batches } = await converse('long', [
			{ tool: 'Run_and_wait', input: {} },
			{ tool: 'Runs', input: {} },
			(answers) => ({ tool: 'Rows_so_far', input: { batch: batchIn(answers) } }),
			{ tool: 'Stop', input: {} },
			{ answer: 'one and two so far' },
		]);
		const [told, listed, rows, stopped] = asked.toolAnswers();
		expect(batches).toHaveLength(1);
		const [{ batchID }] = batches;
		expect(told).toContain(
			`Batch ${batchID} is still running after 1 minute, and goes on. Do not start the task again.`,
		);
		expect(listed).toContain('"statusName":"running"');
		expect(listed).toContain('"lineCount":2');
		expect(JSON.parse(rows)).toEqual([
			{ Name: 'one' },
			{ Name: 'two' },
			{ note: expect.stringContaining('is still running: these are its rows so far.') as string },
		]);
		expect(stopped).toContain('"statusName":"stopped"');
	}, 180_000);
});

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
