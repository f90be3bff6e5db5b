import { cut, drip, html, refusal, reset, silence, success } from '../engine/scriptedAnswers';
import type { Answer } from '../engine/scriptedAnswers';

/** What the network or the service does instead of answering, and what the node must make of it. */
export interface Fault {
	name: string;
	/** What the service does; absent where no service is reached at all. */
	answer?: (elsewhere: string) => Answer;
	/** Where nothing answers. */
	address?: 'closed port' | 'unknown host';
	/** Which requests are sent again: those that read, all, or none; `none needed` is no fault. */
	sentAgain: 'reads' | 'all' | 'none' | 'none needed' | 'reads, with smaller pages';
	/** Whether a run that is waited for survives it. */
	passes: boolean;
	message: string;
	/** What the description says. */
	said: string;
	/** Needs the node's time-outs. */
	takesTime?: boolean;
}

const unreachable = { message: 'Could not reach', passes: true };
const foreign = {
	message: 'The address answered, but not as a Cloud Scraping service',
	passes: false,
	sentAgain: 'none',
} as const;
const busy = {
	message: 'The service is busy',
	said: 'HTTP 429',
	passes: true,
	sentAgain: 'all',
} as const;

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

export const faults: Fault[] = [
	{
		...unreachable,
		name: 'connection refused',
		address: 'closed port',
		sentAgain: 'all',
		said: 'nothing listens at this address',
	},
	{
		...unreachable,
		name: 'unknown host',
		address: 'unknown host',
		sentAgain: 'all',
		said: 'host',
	},
	{
		...unreachable,
		name: 'reset before headers',
		answer: () => reset,
		sentAgain: 'reads',
		said: 'The connection was cut',
	},
	{
		...unreachable,
		name: 'reset within the body',
		answer: () => cut(success({ list: [], filler: 'x'.repeat(10_000) })),
		sentAgain: 'reads',
		said: 'The connection was cut',
	},
	{
		...unreachable,
		name: 'no answer in time',
		answer: () => silence,
		sentAgain: 'reads',
		said: 'No answer came in time',
		takesTime: true,
	},
	{
		...unreachable,
		name: 'slow drip',
		answer: () => drip,
		sentAgain: 'reads',
		said: 'The answer took too long',
		takesTime: true,
	},
	{
		...foreign,
		name: 'cut JSON',
		answer: () => ({ ...success({}), body: '{"code":0,"data":{"li' }),
		said: '{"code":0,"data":{"li',
	},
	{ ...foreign, name: 'empty body', answer: () => ({ status: 200 }), said: '(empty body)' },
	{ ...foreign, name: 'web page, HTTP 200', answer: () => html(200, 'Hello'), said: 'Hello' },
	{
		...foreign,
		name: 'redirect to another origin',
		answer: (elsewhere) => ({ status: 307, headers: { location: `${elsewhere}/cloud/data` } }),
		said: 'redirect to',
	},
	{
		name: 'wrong content type',
		answer: () => ({ contentType: 'text/html' }),
		sentAgain: 'none needed',
		passes: true,
		message: '',
		said: '',
	},
	{
		name: 'web page, HTTP 502',
		answer: () => html(502, 'Bad gateway'),
		sentAgain: 'reads',
		passes: true,
		message: 'The service failed',
		said: 'Bad gateway',
	},
	{
		name: 'HTTP 500 without envelope',
		answer: () => ({ status: 500, body: 'oops' }),
		sentAgain: 'reads',
		passes: true,
		message: 'The service failed',
		said: 'oops',
	},
	{
		name: 'HTTP 500 with envelope',
		answer: () => refusal(9000002, 'not now', 500),
		sentAgain: 'reads',
		passes: true,
		message: 'The service refused the request',
		said: 'not now',
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
		name: 'HTTP 401',
		answer: () => refusal(9000003, 'unauthorized', 401),
		sentAgain: 'none',
		passes: false,
		message: 'API key rejected',
		said: 'Check the API key',
	},
	...codes.map(([code, message]): Fault => ({
		name: `HTTP 200, code ${code}`,
		answer: () => refusal(code, 'hint', 200),
		sentAgain: code === 9000001 ? 'reads, with smaller pages' : 'none',
		passes: false,
		message,
		said: 'Request ID: ',
	})),
];
