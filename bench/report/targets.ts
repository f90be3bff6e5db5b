import { counterpart, timeRatio } from '../measure/results.ts';
import type { Result } from '../measure/results.ts';
import { table, twoDigits } from './table.ts';

/** A ratio that the node should reach, and what it has reached. */
export interface Target {
	name: string;
	wanted: string;
	measured: number;
	met: boolean;
}

/** The targets of the node at 20 ms. */
export function targetsOf(results: Result[]): Target[] {
	const at20 = results.filter(
		({ contender, distance }) =>
			contender === 'node' &&
			distance !== 'memory' &&
			distance.milliseconds === 20 &&
			!distance.handshake,
	);
	return at20.flatMap((node) => {
		const { concurrency, pageSize } = node;
		const name = `${pageSize} rows a page, ${concurrency} at once`;
		const slower = timeRatio(node, counterpart(results, node, 'undici'));
		const faster = timeRatio(counterpart(results, node, 'httpRequest'), node);
		const times = pageSize === 100 ? timesFaster.get(concurrency) : undefined;
		return [
			...(times === undefined
				? []
				: [target(`${name}: faster than HTTP Request`, `≥ ${times} ×`, faster, faster >= times)]),
			target(`${name}: time of undici`, '≤ 1.5 ×', slower, slower <= 1.5),
		];
	});
}

const timesFaster = new Map([
	[5, 5],
	[10, 8],
]);

function target(name: string, wanted: string, measured: number, met: boolean): Target {
	return { name, wanted, measured, met };
}

export function targetTable(targets: Target[]): string {
	return table(
		['target at 20 ms', 'wanted', 'measured', 'met'],
		targets.map(({ name, wanted, measured, met }) => [
			name,
			wanted,
			`${twoDigits(measured)} ×`,
			met ? 'yes' : 'no',
		]),
	);
}

/** Share of a client's time that goes when the service answers from memory, for each client. */
export function serviceShare(results: Result[]): string {
	const direct = results.filter(
		({ distance }) => distance !== 'memory' && distance.milliseconds === 0,
	);
	return table(
		["the service's own share at 0 ms", 'rows a page', 'at once', 'share of the time'],
		direct.flatMap((result) => {
			const fromMemory = results.find(
				({ contender, distance, pageSize, concurrency }) =>
					distance === 'memory' &&
					contender === result.contender &&
					pageSize === result.pageSize &&
					concurrency === result.concurrency,
			);
			if (!fromMemory) return [];
			const share = 1 - fromMemory.milliseconds / result.milliseconds;
			return [
				[
					result.contender,
					String(result.pageSize),
					String(result.concurrency),
					`${Math.round(100 * share)} %`,
				],
			];
		}),
	);
}
