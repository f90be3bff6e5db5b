import { objectAt } from '../../../playground/json.ts';
import { runShopTask } from '../../support/n8n/runShopTask';
import { useStage } from '../../support/n8n/stage';
import {
	importTemplate,
	readTemplate,
	runTemplate,
	withCredentials,
	withNodes,
} from '../../support/n8n/template';
import { startChatModel, storeModel } from '../../support/n8n/chatModel';
import type { ChatModel } from '../../support/n8n/chatModel';

/** How n8n runs tools has changed between these versions of its AI Agent node. */
const shipped = 3;
const newest = 3.1;

describe('the example of an AI agent, imported into a real n8n', () => {
	const stage = useStage();
	let model: ChatModel;

	beforeAll(async () => {
		await runShopTask(stage);
	});

	beforeEach(async () => {
		model = await startChatModel([
			{ tool: 'Search_the_shop', input: { words: 'teapot\nlantern' } },
			{ tool: 'Read_the_catalogue', input: {} },
			{ tool: 'Read_the_catalogue', input: { limit: 2 } },
			{ tool: 'Read_the_catalogue', input: { limit: 0.5 } },
			{ answer: 'There are teapots and lanterns.' },
		]);
	});

	afterEach(async () => {
		await model.stop();
	});

	it.each([shipped, newest])(
		'searches with the words of the model, reads at most 50 rows, says that there are more, and what went wrong (AI Agent %d)',
		async (version) => {
			const openAiApi = await storeModel(stage.n8n, model);
			const template = withCredentials(readTemplate('ai-agent.json'), {
				cloudScrapingApi: stage.credential,
				openAiApi,
			});
			// What a user types into the chat.
			const pinData = {
				'When chat message received': [
					{ json: { sessionId: 'test', action: 'sendMessage', chatInput: 'Any teapots?' } },
				],
			};
			const id = await importTemplate(stage.n8n, {
				...withNodes(template, (node) =>
					node.name === 'AI Agent' ? { ...node, typeVersion: version } : node,
				),
				pinData,
			});
			const { runs } = await runTemplate(stage.n8n, id);

			expect(model.tools().sort()).toEqual(['Read_the_catalogue', 'Search_the_shop']);
			const [found, catalogue, firstTwo, failed] = model.toolAnswers();
			expect(found).toContain('Teapot');
			expect(found).toContain('Lantern');
			expect(found).not.toContain('Chair');
			expect(occurrences(catalogue, '/shop/products/')).toBe(50);
			expect(catalogue).toMatch(/These are the first 50 of 72 rows of batch \d+/);
			expect(occurrences(firstTwo, '/shop/products/')).toBe(2);
			expect(failed).toContain('Limit must be');
			expect(runs['AI Agent'][0].items.map((item) => objectAt(item).output)).toEqual([
				'There are teapots and lanterns.',
			]);
		},
	);
});

function occurrences(text: string, part: string): number {
	return text.split(part).length - 1;
}
