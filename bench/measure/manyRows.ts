import type { FilledBatch } from '../ground/batches.ts';
import type { RunningService } from '../ground/service.ts';
import type { ReadJob } from '../contenders/contender.ts';
import { Progress } from '../report/progress.ts';
import { startContender } from './contenders.ts';
import { median } from './measurement.ts';
import type { Measurement } from './measurement.ts';

/** A read of a small and of a large batch, in the same way. */
export interface Comparison {
	output: ReadJob['output'];
	few: number;
	many: number;
}

export interface Outcome extends Comparison {
	fewReads: Measurement[];
	manyReads: Measurement[];
	/** How many times as long a row takes when there are many. */
	timePerRow: number;
	fewMegabytes: number;
	manyMegabytes: number;
}

/** Small enough for no effect on memory, large enough for code to be compiled. */
export const warmUpRows = 2_000;

/**
 * Reads each batch several times, in turn, each time in a new process: what a process keeps of one
 * read would hide what the next one needs.
 */
export async function compare(
	comparisons: Comparison[],
	service: RunningService,
	rounds: number,
): Promise<Outcome[]> {
	const progress = new Progress(comparisons.length * rounds * 2);
	const outcomes: Outcome[] = [];
	for (const comparison of comparisons) {
		const { output, few, many } = comparison;
		const read = async (rows: number) => {
			progress.next(`${rows.toLocaleString('en')} rows as ${output}`);
			return await readOnce(service, rows, output);
		};
		const fewReads: Measurement[] = [];
		const manyReads: Measurement[] = [];
		for (let round = 0; round < rounds; round++) {
			fewReads.push(await read(few));
			manyReads.push(await read(many));
		}
		const perRow = ({ milliseconds, rows }: Measurement) => milliseconds / rows;
		outcomes.push({
			...comparison,
			fewReads,
			manyReads,
			timePerRow: median(
				manyReads.map((manyRead, round) => perRow(manyRead) / perRow(fewReads[round])),
			),
			fewMegabytes: median(fewReads.map(({ peakBytes }) => peakBytes)) / 1e6,
			manyMegabytes: median(manyReads.map(({ peakBytes }) => peakBytes)) / 1e6,
		});
	}
	progress.end();
	return outcomes;
}

async function readOnce(
	{ baseUrl, apiKey, batches }: RunningService,
	rows: number,
	output: ReadJob['output'],
): Promise<Measurement> {
	const contender = await startContender('node');
	const settings = { baseUrl, apiKey, output, pageSize: 500, concurrency: 5 };
	await contender.measure({ ...batchOf(batches, warmUpRows), ...settings });
	const measurement = await contender.measure({ ...batchOf(batches, rows), ...settings });
	await contender.stop();
	if (measurement.rows !== rows) {
		throw new Error(`${measurement.rows} of ${rows} rows were read`);
	}
	return measurement;
}

function batchOf(batches: FilledBatch[], rows: number): FilledBatch {
	const batch = batches.find((candidate) => candidate.rows === rows);
	if (!batch) throw new Error(`There is no batch of ${rows} rows`);
	return batch;
}
