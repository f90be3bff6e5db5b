import type { ContenderName } from '../contenders/contender.ts';
import type { Delay } from '../ground/network.ts';

/** One way to read the rows; each is measured several times. */
export interface Cell {
	contender: ContenderName;
	concurrency: number;
	pageSize: number;
	/** `memory`: a server that answers from memory takes the service's place. */
	distance: Delay | 'memory';
}

/** Cells that are measured in turn, once a round, so that a busy machine is busy for all of them. */
export interface Group {
	cells: Cell[];
	rounds: number;
	/** Rounds before that do not count. The same processes measure all groups: once warm, they stay so. */
	warmUps: number;
}

export const ROWS = 20_000;

const PAGE_SIZES = [100, 500];
const CONCURRENCIES = [1, 5, 10];

/** All groups; `quick` is for looking whether the bench works. */
export function plan(quick: boolean): Group[] {
	const distances: Array<[Cell['distance'], number]> = [
		['memory', 2],
		[{ milliseconds: 20, handshake: false }, 5],
		[{ milliseconds: 0, handshake: false }, 3],
		[{ milliseconds: 20, handshake: true }, 2],
		[{ milliseconds: 100, handshake: false }, 2],
	];
	return distances
		.filter(([distance]) => !quick || distance === 'memory' || distance.milliseconds < 100)
		.flatMap(([distance, rounds]) =>
			PAGE_SIZES.map((pageSize) => ({
				warmUps: distance === 'memory' ? 1 : 0,
				rounds: quick ? 1 : rounds,
				cells: cellsOf(pageSize, distance),
			})),
		);
}

/** n8n's HTTP Request node asks for one page at a time, whatever is set. */
function cellsOf(pageSize: number, distance: Cell['distance']): Cell[] {
	return CONCURRENCIES.flatMap((concurrency) => {
		const names: ContenderName[] =
			concurrency === 1 ? ['node', 'httpRequest', 'undici'] : ['node', 'undici'];
		return names.map((contender) => ({ contender, concurrency, pageSize, distance }));
	});
}
