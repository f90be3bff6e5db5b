import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { status } from '../store/batch.ts';
import { readJson } from './readJson.ts';

/** The endpoints whose answers faults are for. */
export const faultyPaths = [
	'/cloud/start',
	'/cloud/stop',
	'/cloud/batches',
	'/cloud/data',
] as const;

/** Headers that say where an answer ends, or what comes behind it. */
const framing = new Set(['content-length', 'transfer-encoding', 'trailer']);

/** Milliseconds that a fault keeps an answer back at most. */
const maxDelay = 600_000;

const taskID = z.guid('must be a UUID');
const times = z.int().min(0).default(1);

const answerFault = z
	.strictObject({
		path: z.enum(faultyPaths),
		page: z.int().min(1).optional(),
		taskID: taskID.optional(),
		/** Requests that it is for; 0: all, until it is deleted. */
		times,
		delay: z.int().min(0).max(maxDelay).optional(),
		status: z.int().min(200).max(599).optional(),
		headers: z.record(z.string(), z.string()).optional(),
		/** A text is sent as it is, anything else as JSON. */
		body: z.unknown().optional(),
		code: z.int().optional(),
		msg: z.string().optional(),
		/** Whether the request is worked on before its connection ends. */
		drop: z.enum(['before', 'after']).optional(),
		cut: z.literal(true).optional(),
		/** Entries that are missing at the end of a page. */
		shorten: z.int().min(1).optional(),
	})
	.superRefine((fault, context) => {
		for (const { name, message } of mistakesIn(fault)) {
			context.addIssue({ code: 'custom', path: [name], message });
		}
	});

const runFault = z.strictObject({
	run: z.strictObject({
		taskID,
		endAfterRows: z.int().min(0),
		status: z.literal([status.successful, status.stopped]).default(status.stopped),
	}),
	times,
});

/** What goes wrong with answers of the API. */
export type AnswerFault = z.output<typeof answerFault>;

/** A run that ends before its time. */
export type RunFault = z.output<typeof runFault>;

export type Fault = AnswerFault | RunFault;

/** The faults of a list, as it is or as the `faults` of an object. Throws a ServiceError that names what is wrong. */
export function faultsIn(json: unknown): Fault[] {
	const isWrapped = typeof json === 'object' && json !== null && 'faults' in json;
	const list = readJson(z.array(z.unknown()), isWrapped ? json.faults : json, {
		whole: 'The list of faults',
	});
	return list.map((each, index) => {
		const isOfRun = typeof each === 'object' && each !== null && 'run' in each;
		const whole = `faults.${index}`;
		return readJson<Fault>(isOfRun ? runFault : answerFault, each, { whole, before: `${whole}.` });
	});
}

/** What the members of a fault say of each other. */
function mistakesIn(fault: z.output<typeof answerFault>): { name: string; message: string }[] {
	const { path, page, status, headers, body, code, msg, drop, cut, shorten } = fault;
	const hasPages = path === '/cloud/batches' || path === '/cloud/data';
	const isWritten = status !== undefined || code !== undefined;
	const rules: [isBroken: boolean, name: string, message: string][] = [
		[page !== undefined && !hasPages, 'page', `is for lists; ${path} has no pages`],
		[shorten !== undefined && !hasPages, 'shorten', `is for lists; ${path} has no pages`],
		[
			shorten !== undefined && isWritten,
			'shorten',
			'is for the correct answer: leave out status and code',
		],
		[drop !== undefined && isWritten, 'drop', 'sends no answer: leave out status and code'],
		[
			drop !== undefined && (cut ?? shorten) !== undefined,
			'drop',
			'sends no answer: leave out cut and shorten',
		],
		[msg !== undefined && code === undefined, 'msg', 'needs a code beside it'],
		[headers !== undefined && !isWritten, 'headers', 'need a status beside them'],
		[body !== undefined && status === undefined, 'body', 'needs a status beside it'],
		[
			body !== undefined && code !== undefined,
			'body',
			'cannot be beside code, whose envelope is the body',
		],
		[
			!isWritten && [fault.delay, drop, cut, shorten].every((each) => each === undefined),
			'path',
			'needs what is to go wrong beside it: delay, status, code, drop, cut or shorten',
		],
	];
	for (const header of Object.entries(headers ?? {})) {
		const name = JSON.stringify(header[0]);
		const isFraming = framing.has(header[0].toLowerCase());
		rules.push(
			[!isHeader(header), 'headers', `have one that cannot be sent: ${name}`],
			[isFraming, 'headers', `have ${name}, which follows from the body: leave it out`],
		);
	}
	return rules.flatMap(([isBroken, name, message]) => (isBroken ? [{ name, message }] : []));
}

function isHeader([name, value]: [string, string]): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value);
		return true;
	} catch {
		return false;
	}
}
