import type { Fault } from './faults';
import type { Place } from './places';

export interface SeenCell {
	fault: Fault;
	place: Place;
	text: string;
}

/** What was seen, as a table: a line for each fault, a column for each place that it hit. */
export function matrixTable(
	often: string,
	faults: Fault[],
	places: Place[],
	seen: SeenCell[],
): string {
	const cell = (fault: Fault, place: Place) =>
		seen.find((one) => one.fault === fault && one.place === place)?.text ?? '–';
	const lines = [
		[`fault, ${often}`, ...places.map(({ name }) => name)],
		...faults.map((fault) => [fault.name, ...places.map((place) => cell(fault, place))]),
	];
	const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	const text = lines
		.map((line) => line.map((entry, column) => entry.padEnd(widths[column])).join('  '))
		.map((line) => `${line.trimEnd()}\n`)
		.join('');
	return `\n${text}\n5 ok: that many items, each once. Else the error: a code of the service, an HTTP status, or no\nanswer; no item came out. 4×: the requests that were sent there. –: the fault cannot come there.\n`;
}
