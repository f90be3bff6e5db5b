import { mayRetry, retryDelay } from '../../../../nodes/CloudScraping/api/retries';
import type { Repeatable } from '../../../../nodes/CloudScraping/api/retries';

const refusal = (status: number, retryAfter?: string) =>
	({ kind: 'refusal', status, code: 9000002, retryAfter }) as const;

/** An answer without the API's envelope. */
const foreign = (status: number) => ({ kind: 'refusal', status }) as const;

const unreachable = (neverArrived: boolean) => ({ kind: 'unreachable', neverArrived }) as const;

describe('what may be sent again', () => {
	const outcomes = {
		'never arrived': unreachable(true),
		'may have arrived': unreachable(false),
		'HTTP 200': refusal(200),
		'HTTP 400': refusal(400),
		'HTTP 401': refusal(401),
		'HTTP 404': refusal(404),
		'HTTP 408': refusal(408),
		'HTTP 409': refusal(409),
		'HTTP 429': refusal(429),
		'HTTP 500': refusal(500),
		'HTTP 502': refusal(502),
		'HTTP 503': refusal(503),
	};

	test.each<[Repeatable, Array<keyof typeof outcomes>]>([
		[
			'always',
			[
				'never arrived',
				'may have arrived',
				'HTTP 200',
				'HTTP 400',
				'HTTP 401',
				'HTTP 404',
				'HTTP 408',
				'HTTP 409',
				'HTTP 429',
				'HTTP 500',
				'HTTP 502',
				'HTTP 503',
			],
		],
		['unlessAccepted', ['never arrived', 'HTTP 429']],
		['unlessSent', ['never arrived']],
	])('%s: %j and nothing else', (repeatable, expected) => {
		const again = Object.entries(outcomes)
			.filter(([, outcome]) => mayRetry(outcome, repeatable, { hasAnswered: true }))
			.map(([name]) => name);
		expect(again).toEqual(expected);
	});

	test.each([200, 302, 401, 403, 404])(
		'reading, after HTTP %i without an envelope, where the service has answered before',
		(status) => {
			expect(mayRetry(foreign(status), 'always', { hasAnswered: true })).toBe(true);
			expect(mayRetry(foreign(status), 'always', { hasAnswered: false })).toBe(false);
			expect(mayRetry(foreign(status), 'unlessAccepted', { hasAnswered: true })).toBe(false);
			expect(mayRetry(foreign(status), 'unlessSent', { hasAnswered: true })).toBe(false);
		},
	);

	const coded = (code: number) => ({ kind: 'refusal', status: 200, code }) as const;

	test.each([
		[9000000, false],
		[9000001, false],
		[9000002, true],
		[9000003, true],
		[9000004, false],
		[9000005, true],
		[500, true],
		[9000100, true],
	])('reading after code %i, once the service has accepted the key: %p', (code, expected) => {
		expect(mayRetry(coded(code), 'always', { hasAnswered: true })).toBe(expected);
		expect(mayRetry(coded(code), 'always', { hasAnswered: false })).toBe(false);
		expect(mayRetry(coded(code), 'unlessAccepted', { hasAnswered: true })).toBe(false);
	});

	test('nothing when the key is turned away twice in a row', () => {
		const after = (outcome: ReturnType<typeof coded>) =>
			mayRetry(coded(9000003), 'always', { hasAnswered: true, outcome });
		expect(after(coded(9000003))).toBe(false);
		expect(after(coded(9000002))).toBe(true);
	});
});

describe('how long to wait', () => {
	const now = Date.UTC(2026, 10, 20, 12, 0, 0);
	const delay = (outcome: Parameters<typeof retryDelay>[0], tries: number, random = 1) =>
		retryDelay(
			outcome,
			tries,
			() => random,
			() => now,
		);

	test('doubles from half a second to eight', () => {
		const longest = [1, 2, 3, 4, 5, 6, 20].map((tries) => delay(unreachable(false), tries));
		expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
	});

	test('spreads over the whole time, from none at all', () => {
		expect(delay(refusal(503), 3, 0)).toBe(0);
		expect(delay(refusal(503), 3, 0.25)).toBe(500);
	});

	test.each([
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['60', 60_000],
		['61', 60_000],
		['86400', 60_000],
		['Fri, 20 Nov 2026 12:00:20 GMT', 20_000],
		['Fri, 20 Nov 2026 11:59:00 GMT', 0],
		['Sat, 21 Nov 2026 12:00:00 GMT', 60_000],
	])('obeys Retry-After: %s', (retryAfter, milliseconds) => {
		expect(delay(refusal(429, retryAfter), 1)).toBe(milliseconds);
		expect(delay(refusal(503, retryAfter), 4)).toBe(milliseconds);
	});

	test.each(['', 'soon', '-5', '1.5s'])(
		'backs off when Retry-After is no time: %j',
		(retryAfter) => {
			expect(delay(refusal(429, retryAfter), 2)).toBe(1000);
		},
	);
});
