import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import type { TestN8n } from './n8n';
import { startSite } from '../service/startSite';

/** What the model says next: a call of one of its tools, or its answer. */
export type Reply = { tool: string; input: JsonObject } | { answer: string };

/** The same, made from what the tools have answered so far. */
export type Replying = Reply | ((toolAnswers: string[]) => Reply);

/** A stand-in for a language model that says what it was told to, over OpenAI's chat API. */
export interface ChatModel {
	/** For the field "Base URL" of n8n's OpenAI credential. */
	baseUrl: string;
	/** The names of the tools it was offered. */
	tools(): string[];
	/** What it was told of each tool, by name. */
	descriptions(): Record<string, string>;
	/** What the tools have answered, in the order of the calls. */
	toolAnswers(): string[];
	stop(): Promise<void>;
}

export async function startChatModel(replies: Replying[]): Promise<ChatModel> {
	const asked: JsonObject[] = [];
	const site = await startSite(({ body }) => {
		const request = objectAt(JSON.parse(body));
		const next = replies[asked.length];
		const reply = typeof next === 'function' ? next(answersIn(request)) : next;
		asked.push(request);
		return {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(completion(reply, asked.length, textAt(request, 'model'))),
		};
	});
	const latest = () => objectAt(asked.at(-1));
	const tools = () => listAt(latest(), 'tools').map((tool) => objectAt(tool, 'function'));
	return {
		baseUrl: `${site.baseUrl}/v1`,
		tools: () => tools().map((tool) => textAt(tool, 'name')),
		descriptions: () =>
			Object.fromEntries(
				tools().map((tool) => [textAt(tool, 'name'), textAt(tool, 'description')]),
			),
		toolAnswers: () => answersIn(latest()),
		stop: () => site.stop(),
	};
}

/** Stores n8n's credential for a model, and resolves to its id. */
export async function storeModel({ api }: TestN8n, { baseUrl }: ChatModel): Promise<string> {
	const credential = { name: 'Model', type: 'openAiApi', data: { apiKey: 'any', url: baseUrl } };
	return textAt(await api.post('/rest/credentials', credential), 'id');
}

function answersIn(request: JsonObject): string[] {
	return listAt(request, 'messages')
		.map((message) => objectAt(message))
		.filter(({ role }) => role === 'tool')
		.map((message) => textAt(message, 'content'));
}

function completion(reply: Reply, number: number, model: string): JsonObject {
	const call = 'tool' in reply;
	const toolCall = call && {
		id: `call-${number}`,
		type: 'function',
		function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
	};
	return {
		id: `completion-${number}`,
		object: 'chat.completion',
		created: 0,
		model,
		choices: [
			{
				index: 0,
				finish_reason: call ? 'tool_calls' : 'stop',
				message: toolCall
					? { role: 'assistant', content: null, tool_calls: [toolCall] }
					: { role: 'assistant', content: 'answer' in reply ? reply.answer : '' },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
