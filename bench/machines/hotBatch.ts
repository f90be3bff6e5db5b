import { pino } from 'pino';
import { openStore } from '../../service/src/store/openStore.ts';
import { newRow, newBatch } from '../ground/batches.ts';
import type { MeasuredPostgres } from '../ground/postgres.ts';
import { table, twoDigits, whole } from '../report/table.ts';

const log = pino({ level: 'silent' });

/** Writers at once, and how many batches they write into: each counts the rows of its batch. */
const cases = [
	{ writers: 1, batches: 1, rows: 1 },
	{ writers: 10, batches: 1, rows: 1 },
	{ writers: 100, batches: 1, rows: 1 },
	{ writers: 100, batches: 100, rows: 1 },
	{ writers: 1, batches: 1, rows: 100 },
	{ writers: 10, batches: 1, rows: 100 },
	{ writers: 100, batches: 1, rows: 100 },
	{ writers: 100, batches: 100, rows: 100 },
];

/** How often rows can be stored in a batch by many at once: each time takes the row of that batch. */
export async function hotBatchTable(
	postgres: MeasuredPostgres,
	{ seconds }: { seconds: number },
): Promise<string> {
	const lines: string[][] = [];
	for (const { writers, batches, rows } of cases) {
		const place = { data: '', database: postgres.newDatabase() };
		// Ten connections each, as ten machines have them.
		const stores = await Promise.all(
			Array.from({ length: Math.ceil(writers / 10) }, () => openStore(place, { log })),
		);
		const claims = [];
		for (let batch = 0; batch < batches; batch += 1) {
			const { id } = await stores[0].batches.create(newBatch(writers / batches));
			await stores[0].batches.markRunning(id);
			for (let job = 0; job < writers / batches; job += 1) {
				claims.push(await stores[0].jobs.claim(id, job));
			}
		}
		const end = performance.now() + seconds * 1000;
		let appends = 0;
		const before = postgres.processorMilliseconds();
		await Promise.all(
			claims.map(async (claim, index) => {
				const store = stores[index % stores.length];
				for (let number = 0; performance.now() < end; number += rows) {
					const some = Array.from({ length: rows }, (_, row) => newRow(number + row));
					await store.rows.append(claim, some);
					appends += 1;
				}
			}),
		);
		const used = postgres.processorMilliseconds() - before;
		await Promise.all(stores.map((store) => store.close()));
		lines.push([
			`${writers}`,
			`${batches}`,
			`${rows}`,
			whole(appends / seconds),
			whole((appends * rows) / seconds),
			twoDigits(used / appends),
		]);
	}
	return `Rows stored by many at once:\n\n${table(['writers', 'batches', 'rows a time', 'times/s', 'rows/s', 'PostgreSQL, CPU ms a time'], lines)}`;
}
