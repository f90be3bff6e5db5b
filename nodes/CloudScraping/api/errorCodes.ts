interface Explanation {
	message: string;
	/** What to do, or which values were sent. */
	advice: (sent: SentValues) => string;
}

/** What the request was about, for error texts. */
export interface SentValues {
	/** e.g. `taskID "a", batchID "7"`: the identifiers that were asked for. */
	identifiers: string;
	/** Names of all parameters that were sent. */
	parameters: string;
}

export const unauthorized = 9000003;
export const outOfRange = 9000001;
const unreadable = 9000000;
export const badRequest = 9000002;
export const notFound = 9000004;

/** Section 7 of the specification. */
const explanations: ReadonlyMap<number, Explanation> = new Map([
	[
		unreadable,
		{
			message: 'The service could not read a parameter',
			advice: ({ parameters }) =>
				`Parameters sent: ${parameters}. Correct their values in this node.`,
		},
	],
	[
		outOfRange,
		{
			message: 'A parameter is out of range',
			advice: ({ parameters }) =>
				`Parameters sent: ${parameters}. Correct their values in this node.`,
		},
	],
	[
		badRequest,
		{
			message: 'The service refused the request',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. Correct what the service objects to, then try again.`,
		},
	],
	[
		unauthorized,
		{
			message: 'API key rejected',
			advice: () => 'Check the API key and the base URL of the credential.',
		},
	],
	[
		notFound,
		{
			message: 'Task or batch not found',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. It may have been deleted. Check the task ID in the service's web console; List Batches shows the batches of a task.`,
		},
	],
	[
		9000005,
		{
			message: 'Already exists',
			advice: ({ identifiers }) =>
				`Asked for: ${identifiers}. List Batches shows the batches of the task: use one of them, or wait until it has ended.`,
		},
	],
]);

/** Whether the specification lists a code: then the service says that it has not done what was asked. */
export function isListedCode(code: number | undefined): boolean {
	return code !== undefined && explanations.has(code);
}

/** Whether a code blames the request or its key: nothing was looked at that it is about. */
export function blamesRequest(code: number): boolean {
	return code === unreadable || code === outOfRange || code === unauthorized;
}

/** Whether a code says of a read what no later answer will change. */
export function isFinalForRead(code: number | undefined): boolean {
	return code === unreadable || code === outOfRange || code === notFound;
}

/** Whether an answer without a code turns the request away: a gateway its key, or a web page everybody. */
export function mayRejectKey({ code, status }: { code?: number; status: number }): boolean {
	return code === undefined && (status === 401 || status === 403);
}

/** What is said of such an answer. */
export const keyOrAddress = 'API key rejected, or the base URL does not lead to the service';

/** What a non-zero code of the envelope means (section 7), and what to do. */
export function explainCode(code: number, sent: SentValues): { message: string; advice: string } {
	const known = explanations.get(code);
	if (known) return { message: known.message, advice: known.advice(sent) };
	return {
		message: `The service answered with error ${code}`,
		advice: `Asked for: ${sent.identifiers}. Ask the service's support what it means.`,
	};
}
