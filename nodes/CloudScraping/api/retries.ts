import { isFinalForRead, unauthorized } from './errorCodes';

/** How a request behaves when it is sent again. */
export type Repeatable =
	/** Reading: the same answer, however often. */
	| 'always'
	/** Starts or stops something: again only when it provably never reached the service, or was turned away (429). */
	| 'unlessAccepted'
	/** Moves a deduplication sequence on (section 4.4): again only when it provably never reached the service. */
	| 'unlessSent'
	/** Good to know, and not worth a second try. */
	| 'never';

type Outcome =
	| {
			kind: 'refusal';
			status: number;
			code?: number;
			saysSuccess?: boolean;
			retryAfter?: string;
	  }
	| { kind: 'unreachable'; neverArrived: boolean; tooLarge?: boolean; isFinal?: boolean };

export const maxTries = 4;

const firstDelayMs = 500;
const maxDelayMs = 8_000;
const maxRetryAfterMs = 60_000;

/** What came before an outcome. */
export interface Before {
	/** The service has accepted the key before. */
	hasAnswered: boolean;
	/** Of the same request. */
	outcome?: Outcome;
}

/**
 * Whether a request with this outcome may be sent once more, tries left or not. Where the service has
 * accepted the key before, no single refusal of a read is final, whoever it comes from; but what is asked
 * for wrongly stays so, and a key that is turned away twice in a row is no good any more.
 */
export function mayRetry(outcome: Outcome, repeatable: Repeatable, before: Before): boolean {
	if (repeatable === 'never') return false;
	if (outcome.kind === 'unreachable') {
		if (outcome.tooLarge || outcome.isFinal) return false;
		return outcome.neverArrived || repeatable === 'always';
	}
	if (repeatable !== 'always' && outcome.saysSuccess) return false;
	if (outcome.status === 429) return repeatable !== 'unlessSent';
	if (repeatable !== 'always') return false;
	if (outcome.status === 408 || outcome.status >= 500) return true;
	if (!before.hasAnswered || isFinalForRead(outcome.code)) return false;
	return outcome.code !== unauthorized || codeOf(before.outcome) !== unauthorized;
}

function codeOf(outcome?: Outcome): number | undefined {
	return outcome?.kind === 'refusal' ? outcome.code : undefined;
}

/**
 * Milliseconds to wait after the `tries`-th failed try: what the service asks for (at most 60 s),
 * else exponential back-off with full jitter, so that many workers do not come back at once.
 */
export function retryDelay(
	outcome: Outcome,
	tries: number,
	random: () => number = Math.random,
	now: () => number = Date.now,
): number {
	const asked =
		outcome.kind === 'refusal' ? retryAfterMilliseconds(outcome.retryAfter, now()) : undefined;
	if (asked !== undefined) return Math.min(asked, maxRetryAfterMs);
	return random() * Math.min(firstDelayMs * 2 ** (tries - 1), maxDelayMs);
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfterMilliseconds(header: string | undefined, now: number): number | undefined {
	if (header === undefined) return undefined;
	if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
	// "-5" and "1.5" are dates to Date.parse; an HTTP date begins with the day of the week.
	const date = /^\s*[a-z]{3}/i.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
