import { contenderNames } from '../contenders/contender.ts';
import type { ContenderName } from '../contenders/contender.ts';
import type { FilledBatch } from '../ground/batches.ts';
import { delayService, rememberService } from '../ground/network.ts';
import type { RunningService } from '../ground/service.ts';
import { Progress } from '../report/progress.ts';
import { startContender } from './contenders.ts';
import type { RunningContender } from './contenders.ts';
import type { Measurement } from './measurement.ts';
import type { Cell, Group } from './plan.ts';
import { distanceName, resultOf } from './results.ts';
import type { Result } from './results.ts';

/** Measures all groups against the service, round by round: in each, all cells of a group in turn. */
export async function* runPlan(
	groups: Group[],
	service: RunningService,
	batch: FilledBatch,
): AsyncGenerator<Result[]> {
	const network = await openNetwork(groups, service);
	const contenders = await startContenders();
	const progress = new Progress(
		groups.reduce((sum, { cells, rounds, warmUps }) => sum + cells.length * (rounds + warmUps), 0),
	);
	for (const { cells, rounds, warmUps } of groups) {
		const measurements = cells.map((): Measurement[] => []);
		for (let round = -warmUps; round < rounds; round++) {
			for (const [index, cell] of cells.entries()) {
				progress.next(title(cell));
				const measurement = await contenders[cell.contender].measure({
					...batch,
					...cell,
					baseUrl: network.baseUrlOf(cell.distance),
					apiKey: service.apiKey,
					output: 'items',
				});
				checkRows(measurement, batch);
				if (round >= 0) measurements[index].push(measurement);
			}
		}
		yield cells.map((cell, index) => resultOf(cell, measurements[index]));
	}
	progress.end();
	for (const name of contenderNames) await contenders[name].stop();
	await network.close();
}

async function startContenders(): Promise<Record<ContenderName, RunningContender>> {
	return {
		node: await startContender('node'),
		httpRequest: await startContender('httpRequest'),
		undici: await startContender('undici'),
	};
}

/** The address of the service at each distance; without delay it is the service's own. */
async function openNetwork(groups: Group[], { baseUrl }: RunningService) {
	const delays = groups
		.flatMap(({ cells }) => cells.map(({ distance }) => distance))
		.filter((distance) => distance !== 'memory')
		.filter(({ milliseconds }) => milliseconds > 0);
	const distinct = [...new Map(delays.map((delay) => [distanceName(delay), delay])).values()];
	const delayed = await delayService(baseUrl, distinct);
	const memory = await rememberService(baseUrl);
	const addresses = new Map([
		...delayed.services.map(({ delay, baseUrl: url }) => [distanceName(delay), url] as const),
		[distanceName('memory'), memory.baseUrl] as const,
	]);
	return {
		baseUrlOf: (distance: Cell['distance']) => addresses.get(distanceName(distance)) ?? baseUrl,
		async close() {
			await delayed.stop();
			await memory.stop();
		},
	};
}

function title({ contender, distance, pageSize, concurrency }: Cell): string {
	return `${distanceName(distance)}, ${pageSize} rows a page, ${concurrency} at once: ${contender}`;
}

/** A contender that leaves rows out would be fast. */
function checkRows({ rows }: Measurement, batch: FilledBatch): void {
	if (rows !== batch.rows) throw new Error(`${rows} of ${batch.rows} rows were read`);
}
