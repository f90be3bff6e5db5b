import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { freePort } from '../../../playground/ports.ts';
import type { Answer, RelabeledAnswer } from './scriptedAnswers';
import type { ServiceRules } from './scriptedStore';
import { ScriptedStore } from './scriptedStore';

/**
 * `batchesBefore`: the list of batches as the node asks for it before a start, by the size that no other
 * request has. What a test says of `batches` is about the run that was started, or is there.
 */
export type Endpoint = 'start' | 'stop' | 'batches' | 'batchesBefore' | 'data';

const batchesBeforeStart = '250';

/** A request as the server saw it, in the order of arrival. */
export interface SeenRequest {
	/** Absent for a path or method that is no endpoint. */
	endpoint?: Endpoint;
	method: string;
	/** Path and query exactly as sent. */
	url: string;
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON body; empty when there is none. */
	body: Record<string, unknown>;
	/** `performance.now()` of its arrival. */
	at: number;
}

/** Which requests an answer is for: those of an endpoint, all, or those that a function picks. */
export type Matching = Endpoint | 'all' | ((request: SeenRequest) => boolean);

/** An answer, or a function that makes one; `undefined` leaves the request to the correct service. */
export type Scripted =
	Answer | ((request: SeenRequest) => Answer | undefined | Promise<Answer | undefined>);

/** A Cloud Scraping service that a test scripts, over real HTTP on loopback. */
export interface ScriptedService {
	baseUrl: string;
	/** For the node: base URL and API key. */
	credential: { baseUrl: string; apiKey: string };
	/** The first task that the service knows. */
	taskID: string;
	requests: SeenRequest[];
	/** The batches, oldest first: tests may change them at any time. */
	batches: ScriptedStore['batches'];
	rules: ServiceRules;
	addBatch: ScriptedStore['add'];
	/** Requests of one endpoint. */
	sentTo(endpoint: Endpoint): SeenRequest[];
	/** Most requests that were open at the same time. */
	mostAtOnce(): number;
	/**
	 * Answers the matching requests in another way: the first `times` of them after `skip`. Of several
	 * scripts the one that was given first and still has something to say answers.
	 */
	script(matching: Matching, answer: Scripted, range?: { times?: number; skip?: number }): void;
	stop(): Promise<void>;
}

export interface ScriptedServiceOptions {
	/** Port to listen on; a free one when absent. */
	port?: number;
	apiKey?: string;
	/** Tasks that exist; the first is the default of `addBatch`. */
	taskIDs?: string[];
	rules?: Partial<ServiceRules>;
}

const endpoints: Readonly<Record<string, Endpoint>> = {
	'POST /cloud/start': 'start',
	'POST /cloud/stop': 'stop',
	'GET /cloud/batches': 'batches',
	'GET /cloud/data': 'data',
};

interface Script {
	matches: (request: SeenRequest) => boolean;
	answer: Scripted;
	skip: number;
	times: number;
}

/** Starts a service that plays by the specification until a test scripts it otherwise. */
export async function startScriptedService({
	port = 0,
	apiKey = 'scripted-key-7f3a',
	// Of its own: the node remembers stops by address and task, and a port may come back in one process.
	taskIDs = [randomUUID()],
	rules = {},
}: ScriptedServiceOptions = {}): Promise<ScriptedService> {
	const store = new ScriptedStore(apiKey, taskIDs, rules);
	const requests: SeenRequest[] = [];
	const scripts: Script[] = [];
	let open = 0;
	let mostOpen = 0;

	const server = createServer((request, response) => {
		open++;
		mostOpen = Math.max(mostOpen, open);
		response.on('close', () => open--);
		void receive(request)
			.then(async (seen) => {
				requests.push(seen);
				const scripted = await scriptedAnswer(scripts, seen);
				if (scripted && 'contentType' in scripted) {
					const headers = { 'content-type': scripted.contentType };
					await write(response, { ...store.answer(seen), headers });
				} else await write(response, scripted ?? store.answer(seen));
			})
			.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});
	const baseUrl = await listen(server, port);

	return {
		baseUrl,
		credential: { baseUrl, apiKey },
		taskID: taskIDs[0],
		requests,
		batches: store.batches,
		rules: store.rules,
		addBatch: (batch) => store.add(batch),
		sentTo: (endpoint) => requests.filter((request) => request.endpoint === endpoint),
		mostAtOnce: () => mostOpen,
		script(matching, answer, { times = Infinity, skip = 0 } = {}) {
			scripts.push({ matches: matcher(matching), answer, skip, times });
		},
		async stop() {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** An address on which nothing listens, nor will: no server gets its port from the system. */
export async function closedPort(): Promise<string> {
	return `http://127.0.0.1:${await freePort()}`;
}

async function listen(server: Server, port = 0): Promise<string> {
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return `http://127.0.0.1:${address.port}`;
}

async function receive(request: IncomingMessage): Promise<SeenRequest> {
	const at = performance.now();
	const { method = '', url = '', headers } = request;
	const { pathname, searchParams } = new URL(url, 'http://service');
	const query = Object.fromEntries(searchParams);
	const endpoint = endpoints[`${method} ${pathname}`];
	const isBefore = endpoint === 'batches' && query.size === batchesBeforeStart;
	return {
		endpoint: isBefore ? 'batchesBefore' : endpoint,
		method,
		url,
		path: pathname,
		query,
		headers,
		body: parsedBody(await text(request)),
		at,
	};
}

function parsedBody(body: string): Record<string, unknown> {
	const parsed: unknown = body === '' ? {} : JSON.parse(body);
	return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

function matcher(matching: Matching): Script['matches'] {
	if (typeof matching === 'function') return matching;
	return ({ endpoint }) => matching === 'all' || endpoint === matching;
}

async function scriptedAnswer(
	scripts: Script[],
	request: SeenRequest,
): Promise<Answer | undefined> {
	for (const script of scripts) {
		if (script.times === 0 || !script.matches(request)) continue;
		if (script.skip > 0) {
			script.skip--;
			continue;
		}
		script.times--;
		const { answer } = script;
		const scripted = typeof answer === 'function' ? await answer(request) : answer;
		if (scripted) return scripted;
	}
	return undefined;
}

async function write(
	response: ServerResponse,
	answer: Exclude<Answer, RelabeledAnswer>,
): Promise<void> {
	if ('broken' in answer && answer.broken !== 'cut') {
		if (answer.broken === 'reset') response.socket?.resetAndDestroy();
		if (answer.broken === 'drip') await dripInto(response);
		return;
	}
	const { status = 200, headers = {}, body = '', delay } = answer;
	if (delay !== undefined) await wait(delay);
	response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
	if ('broken' in answer) {
		response.write(body.slice(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
	} else {
		response.end(body);
	}
}

async function dripInto(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': 'application/json' });
	while (!response.destroyed) {
		response.write(' ');
		await wait(50);
	}
}
