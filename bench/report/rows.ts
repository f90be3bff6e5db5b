import type { Outcome } from '../measure/manyRows.ts';
import { median } from '../measure/measurement.ts';
import { table, twoDigits, whole } from './table.ts';

/** Few and many rows, line by line. */
export function rowsTable(outcomes: Outcome[]): string {
	return table(
		['output', 'rows', 'seconds', 'time a row', 'memory above the start, MB'],
		outcomes.flatMap(({ output, few, many, fewReads, manyReads, ...outcome }) => [
			[output, whole(few), seconds(fewReads), '1', whole(outcome.fewMegabytes)],
			[
				output,
				whole(many),
				seconds(manyReads),
				`× ${twoDigits(outcome.timePerRow)}`,
				whole(outcome.manyMegabytes),
			],
		]),
	);
}

function seconds(reads: Outcome['fewReads']): string {
	return twoDigits(median(reads.map(({ milliseconds }) => milliseconds)) / 1000);
}
