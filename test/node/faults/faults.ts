import {
	cut,
	drip,
	html,
	refusal,
	reset,
	silence,
	success,
} from '../../support/scriptedService/scriptedAnswers';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';

/** The services of the matrix know this key, and repeat it in most of their answers. */
export const apiKey = 'sk-of-the-fault-matrix-4711';

/** What the network or the service does instead of answering, and what the node must make of it. */
export interface Fault {
	name: string;
	/** How the matrix shows the error: the code of the envelope, else the HTTP status, else "no answer". */
	shown: string;
	/** What the service does; absent where no service is reached at all. */
	answer?: (elsewhere: string) => Answer;
	/** Where nothing answers. */
	address?: 'closed port' | 'unknown host';
	/** Which requests are sent again: those that read, all, or none; `none needed` is no fault. */
	sentAgain:
		| 'reads'
		| 'reads of a service that has answered'
		| 'the same, but once'
		| 'all'
		| 'none'
		| 'none needed'
		| 'reads, with smaller pages';
	/** Whether what was sent may have been done all the same. */
	inDoubt: boolean;
	/** Whether it is sure that nothing behind it has seen the request. */
	isTurnedAway?: boolean;
	/** Whether a run that is waited for survives it. */
	passes: boolean;
	message: string;
	/** What the description says. */
	said: string;
	/** Needs the node's time-outs. */
	takesTime?: boolean;
}

const nowhere = {
	shown: 'no answer',
	message: 'Could not reach',
	sentAgain: 'all',
	inDoubt: false,
	passes: true,
} as const;
const unanswered = { ...nowhere, sentAgain: 'reads', inDoubt: true } as const;
const foreign = {
	shown: 'HTTP 200',
	message: 'The address answered, but not as a Cloud Scraping service',
	sentAgain: 'reads of a service that has answered',
	inDoubt: true,
	passes: true,
} as const;
const failed = {
	shown: 'HTTP 500',
	message: 'The service could not handle the request',
	sentAgain: 'reads',
	inDoubt: true,
	passes: true,
} as const;
const busy = {
	shown: 'HTTP 429',
	message: 'The service is busy',
	said: 'HTTP 429',
	sentAgain: 'all',
	inDoubt: false,
	passes: true,
} as const;
const refused = { sentAgain: 'none', inDoubt: false, passes: true } as const;
const rejected = { sentAgain: 'the same, but once', passes: false } as const;

/** Section 7 of the specification; the last one is not in it. */
const codes: Array<[number, string]> = [
	[9000000, 'The service could not read a parameter'],
	[9000001, 'A parameter is out of range'],
	[9000002, 'The service refused the request'],
	[9000003, 'API key rejected'],
	[9000004, 'Task or batch not found'],
	[9000005, 'Already exists'],
	[7654321, 'The service answered with error 7654321'],
];

/** A service that has accepted the key says them for a moment only. */
const busyCodes = [9000002, 9000005, 7654321];

export const faults: Fault[] = [
	{
		...nowhere,
		name: 'connection refused',
		address: 'closed port',
		said: 'nothing listens at this address',
	},
	{ ...nowhere, name: 'unknown host', address: 'unknown host', said: 'host' },
	{
		...unanswered,
		name: 'reset before headers',
		answer: () => reset,
		said: 'The connection was closed',
	},
	{
		...unanswered,
		name: 'reset within the body',
		answer: () => cut(success({ list: [], filler: apiKey.repeat(1_000) })),
		said: 'The connection was closed',
	},
	{
		...unanswered,
		name: 'no answer in time',
		answer: () => silence,
		said: 'No answer came in time',
		takesTime: true,
	},
	{
		...unanswered,
		name: 'slow drip',
		answer: () => drip,
		said: 'The answer took too long',
		takesTime: true,
	},
	{
		...foreign,
		name: 'cut JSON',
		answer: () => ({ ...success({}), body: `{"code":0,"data":{"key":"${apiKey}` }),
		said: '{"code":0,"data":{"key":"[API key]',
	},
	{ ...foreign, name: 'empty body', answer: () => ({ status: 200 }), said: '(empty body)' },
	{
		...foreign,
		name: 'web page, HTTP 200',
		answer: () => html(200, `Hello ${apiKey}`),
		said: 'Hello [API key]',
	},
	{
		...foreign,
		name: 'redirect to another origin',
		shown: 'HTTP 307',
		inDoubt: false,
		isTurnedAway: true,
		answer: (elsewhere) => ({
			status: 307,
			headers: { location: `${elsewhere}/cloud/data?key=${apiKey}` },
		}),
		said: 'redirect to',
	},
	{
		...refused,
		name: 'wrong content type',
		shown: '',
		answer: () => ({ contentType: 'text/html' }),
		sentAgain: 'none needed',
		message: '',
		said: '',
	},
	{
		...failed,
		name: 'web page, HTTP 502',
		shown: 'HTTP 502',
		answer: () => html(502, `Bad gateway ${apiKey}`),
		said: 'Bad gateway [API key]',
	},
	{
		...failed,
		name: 'HTTP 500 without envelope',
		answer: () => ({ status: 500, body: `oops ${apiKey}` }),
		said: 'oops [API key]',
	},
	{
		...failed,
		name: 'HTTP 500 with envelope',
		shown: '9000002',
		answer: () => refusal(9000002, `not now ${apiKey}`, 500),
		message: 'The service refused the request',
		said: 'not now [API key]',
	},
	{
		...busy,
		name: 'HTTP 429, seconds',
		answer: () => ({ status: 429, headers: { 'retry-after': '1' } }),
	},
	{
		...busy,
		name: 'HTTP 429, date',
		answer: () => ({
			status: 429,
			headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() },
		}),
	},
	{
		...refused,
		...rejected,
		name: 'HTTP 401',
		shown: '9000003',
		answer: () => refusal(9000003, `no ${apiKey}`, 401),
		message: 'API key rejected',
		said: 'Check the API key',
	},
	...codes.map(([code, message]): Fault => ({
		...refused,
		name: `HTTP 200, code ${code}`,
		shown: String(code),
		answer: () => refusal(code, `hint for ${apiKey}`, 200),
		...(code === 9000001 && { sentAgain: 'reads, with smaller pages' }),
		...(code === 9000003 && rejected),
		...(busyCodes.includes(code) && { sentAgain: 'reads of a service that has answered' }),
		inDoubt: code === 7654321,
		message,
		said: 'The service says: hint for [API key]',
	})),
];
