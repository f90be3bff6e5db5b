import type { ContenderName } from '../contenders/contender.ts';
import { counterpart, timeRatio } from '../measure/results.ts';
import type { Result } from '../measure/results.ts';
import { table, twoDigits, whole } from './table.ts';

export const contenderTitles: Record<ContenderName, string> = {
	node: 'this node',
	httpRequest: 'HTTP Request + Code',
	undici: 'undici, no n8n',
};

/** One table for each page size, with times relative to the other two. */
export function sideBySide(results: Result[]): string {
	const titles = new Set(results.map(titleOf));
	return [...titles]
		.map((title) => {
			const rows = results.filter((result) => titleOf(result) === title);
			return `${title}\n\n${table(
				header,
				rows.map((row) => cells(results, row)),
			)}`;
		})
		.join('\n\n');
}

const header = ['', 'at once', 'rows/s', 'ms', '× HTTP Request', '× undici', 'CPU ms', 'peak MB'];

function titleOf({ pageSize }: Result): string {
	return `**${pageSize} rows a page**`;
}

function cells(results: Result[], result: Result): string[] {
	return [
		contenderTitles[result.contender],
		String(result.concurrency),
		whole(result.rowsPerSecond),
		whole(result.milliseconds),
		twoDigits(timeRatio(result, counterpart(results, result, 'httpRequest'))),
		twoDigits(timeRatio(result, counterpart(results, result, 'undici'))),
		whole(result.cpuMilliseconds),
		whole(result.peakMegabytes),
	];
}
