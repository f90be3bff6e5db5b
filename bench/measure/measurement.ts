/** What one read cost. */
export interface Measurement {
	rows: number;
	milliseconds: number;
	/** Time that the process kept a processor busy, all its threads together. */
	cpuMilliseconds: number;
	/** Most memory that the process had, above what it had before its first read. */
	peakBytes: number;
}

export function isMeasurement(value: unknown): value is Measurement {
	return typeof value === 'object' && value !== null && 'milliseconds' in value;
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
