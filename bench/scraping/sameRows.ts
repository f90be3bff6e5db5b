import { table } from '../report/table.ts';
import type { Column } from './columns.ts';
import type { Comparison } from './rounds.ts';

/** How many values of each column differ between the two, in a whole run of all pages. */
export interface Disagreement {
	column: string;
	sameMeaning: boolean;
	values: number;
	differing: number;
}

/** Compares the rows of the first round; those of later rounds must be the same. */
export function disagreements(
	{ service, crawlee, parsing }: Comparison,
	columns: Column[],
): Disagreement[] {
	for (const rounds of [service, crawlee]) {
		const [first, ...later] = rounds.map(({ rows }) => JSON.stringify(rows));
		if (later.some((rows) => rows !== first)) throw new Error('Two rounds have other rows.');
	}
	if (parsing.length > 0 && JSON.stringify(parsing[0].rows) !== JSON.stringify(service[0].rows)) {
		throw new Error('Parsing alone gives other rows than the service.');
	}
	return columns.map(({ name, sameMeaning }, column) => {
		const ours = service[0].rows;
		const theirs = crawlee[0].rows;
		const differing = ours.filter((row, page) => row[column] !== theirs[page][column]).length;
		return { column: name, sameMeaning, values: ours.length, differing };
	});
}

export function disagreementTable(found: Disagreement[]): string {
	const rows = found.map(({ column, sameMeaning, values, differing }) => [
		column,
		String(values),
		String(differing),
		sameMeaning ? 'none' : 'where blocks or cells meet',
	]);
	return table(['column', 'values', 'differ', 'expected'], rows);
}
