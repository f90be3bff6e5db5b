import { fc } from '../../../support/fastCheck';

/** How a service behaves, drawn at random: nobody chose the combination. */
export interface Species {
	/** Rows 0, 1, 2, … that the batch has when the read begins. */
	rows: number;
	/** Rows that appear with each answer, while the batch is running. */
	growth: number[];
	isRunning: boolean;
	/** Rows that stand in no page, although their places are counted. */
	leftOut: number[];
	/** Rows a page at most, from a page on; what is said of it. */
	cap: { size: number; fromPage: number; how: 'silent' | 'echoed' | 'refused' };
	/** What `total` says beside the truth. */
	totalIsOff: number;
	totalIsZero: boolean;
	lineCount: 'true' | 'text' | 'absent';
	/** Pages whose first answers come from a replica that lacks rows. */
	lags: Array<{ page: number; rows: number; times: number; isCounted: boolean }>;
	/** What becomes of the requests, one after the other, and over again; each page comes at the third try. */
	faults: Array<'none' | '503' | '429' | 'reset' | 'cut'>;
	/** Milliseconds that the answers take. */
	delays: number[];
}

/** What a user asks of it. */
export interface Wish {
	pageSize: number;
	concurrency: number;
	/** No limit when absent. */
	limit: number | undefined;
	onMissingRows: 'error' | 'return';
}

const none = <T>(value: T, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
	fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary });

export const species: fc.Arbitrary<Species> = fc
	.record({
		rows: fc.oneof(fc.nat(60), fc.nat(8), fc.constantFrom(0, 10, 20, 40)),
		growth: fc.array(fc.nat(6), { maxLength: 12 }),
		isRunning: none(false, fc.boolean()),
		leftOut: none<number[]>([], fc.uniqueArray(fc.nat(59), { maxLength: 8 })),
		cap: none<Species['cap']>(
			{ size: 1_000, fromPage: 1, how: 'silent' },
			fc.record({
				size: fc.integer({ min: 1, max: 25 }),
				fromPage: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 })),
				how: fc.constantFrom('silent' as const, 'echoed' as const, 'refused' as const),
			}),
		),
		totalIsOff: none(0, fc.integer({ min: -15, max: 15 })),
		totalIsZero: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
		lineCount: fc.constantFrom('true' as const, 'text' as const, 'absent' as const),
		lags: none<Species['lags']>(
			[],
			fc.uniqueArray(
				fc.record({
					page: fc.integer({ min: 1, max: 6 }),
					rows: fc.integer({ min: 1, max: 30 }),
					times: fc.constantFrom(1, 1, 2),
					isCounted: fc.boolean(),
				}),
				{ maxLength: 3, selector: ({ page }) => page },
			),
		),
		faults: none<Species['faults']>(
			['none'],
			fc.array(fc.constantFrom('none', 'none', '503', '429', 'reset', 'cut'), {
				minLength: 2,
				maxLength: 9,
			}),
		),
		delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 7 }),
	})
	.map((drawn) => ({ ...drawn, growth: drawn.isRunning ? drawn.growth : [] }));

/**
 * What no client can know is left out. Pages that move without a word give rows twice, which fill the
 * places of those that are missing: only a count that is right, and that all rows are there for, shows
 * it, and a batch that is running has none. And a `total` that is too low is known by a full page or by
 * `lineCount`, so one of them must be there.
 */
export function isKnowable({
	cap,
	isRunning,
	lags,
	leftOut,
	lineCount,
	totalIsOff,
	totalIsZero,
}: Species): boolean {
	const isSilent = cap.how === 'silent' && cap.size < 1_000;
	const isCounted = !isRunning && leftOut.length === 0 && totalIsOff === 0 && !totalIsZero;
	if (isSilent && cap.fromPage > 1 && !isCounted) return false;
	if (lineCount !== 'absent') return true;
	const isLow = totalIsOff < 0 || totalIsZero || lags.some(({ isCounted }) => isCounted);
	return !(isLow && (isSilent || leftOut.length > 0 || lags.length > 0));
}

export const wish: fc.Arbitrary<Wish> = fc.record({
	pageSize: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(5, 10, 500)),
	concurrency: fc.integer({ min: 1, max: 8 }),
	limit: none<number | undefined>(undefined, fc.integer({ min: 1, max: 70 })),
	onMissingRows: fc.constantFrom('error' as const, 'return' as const),
});
