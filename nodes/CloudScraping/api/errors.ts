import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Repeatable } from './retries';

/** What a failed request tells the user. `code` is the envelope's, `status` the HTTP status. */
export interface Failure {
	message: string;
	/** One sentence each: what happened, which value, what to do next. */
	details: string[];
	status?: number;
	code?: number;
	/** The request may have done its work although no answer says so. */
	mayHaveArrived?: boolean;
	/** The answer would take too much memory: smaller pages may help. */
	tooLarge?: boolean;
	requestId: string;
}

interface Explanation {
	message: string;
	/** What to do, or which values were sent. */
	advice: (sent: SentValues) => string;
}

/** What the request was about, for error texts. */
export interface SentValues {
	/** e.g. `taskID=…, batchID=…`: the identifiers that were asked for. */
	identifiers: string;
	/** Names of all parameters that were sent. */
	parameters: string;
}

export const UNAUTHORIZED = 9000003;
const OUT_OF_RANGE = 9000001;
export const NOT_FOUND = 9000004;

/** Section 7 of the specification. */
const EXPLANATIONS: ReadonlyMap<number, Explanation> = new Map([
	[
		9000000,
		{
			message: 'The service could not read a parameter',
			advice: ({ parameters }) =>
				`Parameters sent: ${parameters}. Correct their values in this node.`,
		},
	],
	[
		OUT_OF_RANGE,
		{
			message: 'A parameter is out of range',
			advice: ({ parameters }) =>
				`Parameters sent: ${parameters}. Correct their values in this node.`,
		},
	],
	[
		9000002,
		{
			message: 'The service refused the request',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. Correct what the service objects to, then try again.`,
		},
	],
	[
		UNAUTHORIZED,
		{
			message: 'API key rejected',
			advice: () => 'Check the API key and the base URL of the credential.',
		},
	],
	[
		NOT_FOUND,
		{
			message: 'Task or batch not found',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. Compare the task ID with the web console of the service; List Batches shows the batches of a task.`,
		},
	],
	[
		9000005,
		{
			message: 'Already exists',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. List Batches shows what the task has: use that, or wait until it has ended.`,
		},
	],
]);

/** Whether the specification lists a code: then the service says that it has not done what was asked. */
export function isListedCode(code: number | undefined): boolean {
	return code !== undefined && EXPLANATIONS.has(code);
}

/** Whether an answer turns the API key away: with the code for that, or as a gateway does, without any. */
export function rejectsKey({ code, status }: { code?: number; status: number }): boolean {
	return code === UNAUTHORIZED || (code === undefined && (status === 401 || status === 403));
}

/** What a non-zero code of the envelope means (section 7), and what to do. */
export function explainCode(code: number, sent: SentValues): { message: string; advice: string } {
	const known = EXPLANATIONS.get(code);
	if (known) return { message: known.message, advice: known.advice(sent) };
	return {
		message: `The service answered with error ${code}`,
		advice: `Asked for: ${sent.identifiers}. Ask the support of the service what the code means.`,
	};
}

/**
 * A NodeApiError for n8n. Built from plain values only: the request that n8n's own errors carry
 * would put the API key into execution data and logs.
 */
export function apiError(node: INode, failure: Failure): NodeApiError {
	const description = [...failure.details, `Request ID: ${failure.requestId}`].join('\n');
	const response: JsonObject = { message: failure.message };
	const error = new NodeApiError(node, response, {
		message: failure.message,
		description,
		httpCode: failure.status === undefined ? undefined : String(failure.status),
	});
	error.context.requestId = failure.requestId;
	if (failure.tooLarge) error.context.tooLarge = true;
	if (failure.mayHaveArrived) error.context.mayHaveArrived = true;
	if (failure.code !== undefined) error.context.code = failure.code;
	return error;
}

/** The envelope's code of an error that `apiError` made, if there is one. */
function apiErrorCode(error: unknown): number | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	return typeof error.context.code === 'number' ? error.context.code : undefined;
}

/** Turns "the page is too large", said or found, into an answer for the pager; no other error. */
export async function asPageRefusal(
	error: Error,
	repeatable: Repeatable,
): Promise<{ refused: Error }> {
	const isTooLarge = error instanceof NodeApiError && error.context.tooLarge === true;
	if ((isTooLarge && repeatable === 'always') || apiErrorCode(error) === OUT_OF_RANGE)
		return { refused: error };
	return await Promise.reject(error);
}
