import { join } from 'node:path';
import { contenderNames } from '../contenders/contender.ts';
import type { ContenderName } from '../contenders/contender.ts';
import type { FilledBatch } from '../ground/batches.ts';
import { startChild } from '../ground/child.ts';
import type { RunningService } from '../ground/service.ts';
import { Progress } from '../report/progress.ts';
import { startContender } from './contenders.ts';
import type { RunningContender } from './contenders.ts';
import type { Measurement } from './measurement.ts';
import { resultOf } from './results.ts';
import type { Cell, Result } from './results.ts';

/** How far away the service is: milliseconds to it and back, for each request. */
const distance = 20;
const pageSizes = [100, 500];
const concurrencies = [1, 5, 10];
/** Rounds before those that count: code gets compiled in them. */
const warmUps = 1;

/** n8n's HTTP Request node asks for one page at a time, whatever is set. */
const cells = pageSizes.flatMap((pageSize) =>
	concurrencies.flatMap((concurrency) =>
		contenderNames
			.filter((name) => name !== 'httpRequest' || concurrency === 1)
			.map((contender): Cell => ({ contender, concurrency, pageSize })),
	),
);

/** Reads a batch in all ways, in turn, once a round: a busy machine is busy for all of them. */
export async function measureSideBySide(
	{ baseUrl, apiKey }: RunningService,
	batch: FilledBatch,
	rounds: number,
): Promise<Result[]> {
	const proxy = await startChild(join(import.meta.dirname, '..', 'ground', 'delayingProxy.ts'), [
		new URL(baseUrl).port,
		String(distance),
	]);
	const contenders = await startContenders();
	const progress = new Progress(cells.length * (rounds + warmUps));
	const measurements = cells.map((): Measurement[] => []);
	for (let round = -warmUps; round < rounds; round++) {
		for (const [index, cell] of cells.entries()) {
			progress.next(title(cell));
			const measurement = await contenders[cell.contender].measure({
				...batch,
				...cell,
				baseUrl: `http://127.0.0.1:${Number(proxy.ready)}`,
				apiKey,
				output: 'items',
			});
			checkRows(measurement, batch);
			if (round >= 0) measurements[index].push(measurement);
		}
	}
	progress.end();
	for (const name of contenderNames) await contenders[name].stop();
	await proxy.stop();
	return cells.map((cell, index) => resultOf(cell, measurements[index]));
}

async function startContenders(): Promise<Record<ContenderName, RunningContender>> {
	return {
		node: await startContender('node'),
		httpRequest: await startContender('httpRequest'),
		undici: await startContender('undici'),
	};
}

function title({ contender, pageSize, concurrency }: Cell): string {
	return `${pageSize} rows a page, ${concurrency} at once: ${contender}`;
}

/** A contender that leaves rows out would be fast. */
function checkRows({ rows }: Measurement, batch: FilledBatch): void {
	if (rows !== batch.rows) throw new Error(`${rows} of ${batch.rows} rows were read`);
}
