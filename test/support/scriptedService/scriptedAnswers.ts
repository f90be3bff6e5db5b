/** What a scripted service does with a request instead of answering it correctly. */
export type Answer = WrittenAnswer | BrokenAnswer | RelabeledAnswer;

/** The correct answer, under another content type. */
export interface RelabeledAnswer {
	contentType: string;
}

export interface WrittenAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** The exact text of the body, in UTF-8, or its bytes. */
	body?: string | Uint8Array;
	/** Milliseconds to wait first. */
	delay?: number;
}

/**
 * `reset`: the connection is cut before any header. `cut`: it is cut within the body of this answer.
 * `silence`: nothing is ever answered. `drip`: a body of which a byte comes now and then, without end.
 */
export type BrokenAnswer =
	{ broken: 'reset' | 'silence' | 'drip' } | ({ broken: 'cut' } & WrittenAnswer);

/** HTTP statuses that fit the codes of section 7; the specification names none. */
const statusOfCode: Readonly<Record<number, number>> = {
	9000000: 400,
	9000001: 400,
	9000002: 400,
	9000003: 401,
	9000004: 404,
	9000005: 409,
};

export const matchingStatus = (code: number): number => statusOfCode[code] ?? 500;

/** An envelope with code 0 around `data`; a bigint in it becomes a JSON integer. */
export function success(data: unknown): WrittenAnswer {
	return json(200, { code: 0, msg: '', data });
}

/** An envelope with an error code. */
export function refusal(code: number, msg: string, status = matchingStatus(code)): WrittenAnswer {
	return json(status, { code, msg, data: null });
}

/** A page of a web site, as a proxy or a wrong address sends it. */
export function html(status: number, text: string): WrittenAnswer {
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: `<!doctype html><html><head><title>${text}</title></head><body><h1>Page</h1></body></html>`,
	};
}

/** One page of a list as the service sends it (section 2.2). */
export function page(
	list: readonly unknown[],
	pagination: { page?: unknown; size?: unknown; total: unknown },
): WrittenAnswer {
	return success({ list, pagination });
}

export const reset: BrokenAnswer = { broken: 'reset' };

export const silence: BrokenAnswer = { broken: 'silence' };

export const drip: BrokenAnswer = { broken: 'drip' };

export function cut(answer: WrittenAnswer): BrokenAnswer {
	return { broken: 'cut', ...answer };
}

function json(status: number, value: unknown): WrittenAnswer {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: toJsonText(value),
	};
}

/** JSON with the integers beyond 2^53 that `JSON.stringify` cannot write. */
export function toJsonText(value: unknown): string {
	// From the holder: n8n-core gives BigInt a `toJSON`, which makes a text of it before `value` is seen.
	const marked = JSON.stringify(
		value,
		function (this: Record<string, unknown>, key, part: unknown) {
			const original = this[key];
			return typeof original === 'bigint' ? `\u0001${original}\u0001` : part;
		},
	);
	return marked.replace(/"\\u0001(-?\d+)\\u0001"/g, '$1');
}
