import type { Outage } from './page.ts';

/** Milliseconds that a site may ask to wait at most. */
const maxWait = 60_000;

/**
 * Milliseconds before what stands behind a form that was taken, and is not to be had for now, is asked for again by itself: with
 * all steps before it, the form would be sent again, as an order.
 */
export const pausesBehindForms: readonly number[] = [1_000, 3_000];

/** Codes of Node.js where this machine has no file or memory left for a connection. */
const machineCodes = /^(E(M|N)FILE|ENOBUFS|ENOMEM)$/;
/**
 * Codes of Node.js and undici for what happens between this machine and a site, an answer that is cut among it, and
 * where there is no port left for a connection.
 */
const networkCodes =
	/^(EADDRNOTAVAIL|ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|UND_ERR_(SOCKET|CLOSED|RES_CONTENT_LENGTH_MISMATCH|(CONNECT|HEADERS|BODY)_TIMEOUT))$/;
/** undici's words, without a code, for an answer whose last chunk has not come. */
const isCut = /\(Invalid EOF state\)$/;
/** Those for which somebody has waited. */
const slowCodes = /TIMEOUT|ETIMEDOUT/;

/** What an error of fetch says of its site or of this machine, or one that caused it: undefined if it is not the network's. */
export function networkOutage(error: unknown): Outage | undefined {
	const code = networkCodeOf(error);
	if (code === undefined) return undefined;
	return machineCodes.test(code)
		? { of: 'machine' }
		: { of: 'network', isSlow: slowCodes.test(code) };
}

/** Milliseconds to wait for it to be over, at least `pause`; undefined: that is not known, or somebody has waited for it already. */
export function pauseFor(outage: Outage | undefined, pause: number): number | undefined {
	if (outage?.of === 'answer') return Math.max(pause, outage.retryAfter ?? 0);
	return outage?.of === 'network' && !outage.isSlow ? pause : undefined;
}

/** Whether an answer with this HTTP status may be another one soon: 408, 429 and 5xx. */
export function outageOf(status: number, retryAfter: string | null): Outage | undefined {
	if (status !== 408 && status !== 429 && status < 500) return undefined;
	return { of: 'answer', retryAfter: millisecondsOf(retryAfter) };
}

function networkCodeOf(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	const code = 'code' in error ? String(error.code) : '';
	if (networkCodes.test(code) || machineCodes.test(code)) return code;
	if (isCut.test(error.message)) return 'HPE_INVALID_EOF_STATE';
	const causes: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
	for (const cause of causes) {
		const found = networkCodeOf(cause);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** A `Retry-After` in seconds or as a date; undefined if there is none that can be read. */
function millisecondsOf(retryAfter: string | null): number | undefined {
	if (retryAfter === null) return undefined;
	const isSeconds = /^\s*\d+\s*$/.test(retryAfter);
	const wait = isSeconds ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
	return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxWait);
}
