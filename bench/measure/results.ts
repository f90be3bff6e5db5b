import type { ContenderName } from '../contenders/contender.ts';
import { median } from './measurement.ts';
import type { Measurement } from './measurement.ts';

/** One way to read the rows. */
export interface Cell {
	contender: ContenderName;
	concurrency: number;
	pageSize: number;
}

/** A cell and what its rounds have measured. */
export interface Result extends Cell {
	measurements: Measurement[];
	rowsPerSecond: number;
	milliseconds: number;
	cpuMilliseconds: number;
	peakMegabytes: number;
}

export function resultOf(cell: Cell, measurements: Measurement[]): Result {
	const medianOf = (value: (measurement: Measurement) => number) => median(measurements.map(value));
	return {
		...cell,
		measurements,
		rowsPerSecond: medianOf(({ rows, milliseconds }) => (1000 * rows) / milliseconds),
		milliseconds: medianOf(({ milliseconds }) => milliseconds),
		cpuMilliseconds: medianOf(({ cpuMilliseconds }) => cpuMilliseconds),
		peakMegabytes: Math.max(...measurements.map(({ peakBytes }) => peakBytes)) / 1e6,
	};
}

/**
 * How many times as long one takes as the other: the median of the rounds' own ratios, in which both
 * had the machine as it was then.
 */
export function timeRatio(one: Result, other: Result): number {
	return median(
		one.measurements.map(
			({ milliseconds }, round) => milliseconds / other.measurements[round].milliseconds,
		),
	);
}

/** The result of another contender under the same conditions; HTTP Request has one at a time only. */
export function counterpart(results: Result[], to: Result, contender: ContenderName): Result {
	const concurrency = contender === 'httpRequest' ? 1 : to.concurrency;
	const found = results.find(
		(result) =>
			result.contender === contender &&
			result.concurrency === concurrency &&
			result.pageSize === to.pageSize,
	);
	if (!found) throw new Error(`${contender} was not measured`);
	return found;
}
