import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from '../ground/batches.ts';
import type { MeasuredPostgres } from '../ground/postgres.ts';
import { startService } from '../ground/service.ts';
import { processorMilliseconds } from '../measure/processUse.ts';
import { askFor } from '../measure/requests.ts';
import { table, twoDigits, whole } from '../report/table.ts';

const size = 100;
/** As few as there may be, and as many. */
const jobCounts = [1, 1000];

/** One batch of many rows: how fast they are stored, and how fast its first and its last page are read. */
export async function manyRowsTables(
	postgres: MeasuredPostgres,
	{ rows }: { rows: number },
): Promise<string> {
	const lastPage = rows / size;
	const written: string[][] = [];
	const read: string[][] = [];
	for (const jobs of jobCounts) {
		for (const name of ['SQLite', 'PostgreSQL']) {
			const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-'));
			const data = join(folder, 'service.db');
			const database = name === 'SQLite' ? undefined : postgres.newDatabase();
			const began = performance.now();
			const [{ batchID }] = await fillStore({ data, database }, [rows], jobs);
			const seconds = (performance.now() - began) / 1000;
			written.push([name, whole(jobs), whole(rows / seconds), twoDigits(seconds)]);
			const service = await startService({
				env: { SERVICE_DATA: data, ...(database !== undefined && { SERVICE_DATABASE: database }) },
			});
			const ask = async (page: number) =>
				askFor(() => `/cloud/data?batchID=${batchID}&page=${page}&size=${size}&preview=false`, {
					baseUrls: [service.baseUrl],
					apiKey: service.apiKey,
					connections: 1,
					seconds: 5,
					processor: () => processorMilliseconds(service.pid),
				});
			const first = await ask(1);
			const last = await ask(lastPage);
			read.push([
				name,
				whole(jobs),
				twoDigits(last.median / first.median),
				...[first, last].flatMap(({ median, p99 }) => [twoDigits(median), twoDigits(p99)]),
			]);
			await service.stop();
			if (database !== undefined) written.push(...(await sizes(postgres, database, rows)));
			rmSync(folder, { recursive: true, force: true });
		}
	}
	const pages = `pages 1 and ${whole(lastPage)} of ${size} rows, one request at a time`;
	return [
		`${whole(rows)} rows in one batch, 1,000 at a time:\n\n${table(['', 'jobs', 'rows/s', 'seconds'], written)}`,
		`Reading them by the API, ${pages}:\n\n${table(['', 'jobs', 'last × first', 'first, p50 ms', 'p99', 'last, p50 ms', 'p99'], read)}`,
	].join('\n\n');
}

/** What a million rows take on the disk, and each of their indexes. */
async function sizes(
	postgres: MeasuredPostgres,
	database: string,
	rows: number,
): Promise<string[][]> {
	const found = await postgres.ask(
		database,
		`SELECT relname, pg_relation_size(oid) / 1e6 AS megabytes FROM pg_class
		WHERE oid = 'cloud_scraping.rows'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'cloud_scraping.rows'::regclass)
		ORDER BY relname`,
	);
	return found.map(({ relname, megabytes }) => [
		`… ${String(relname)}, MB a million rows`,
		'',
		'',
		whole((Number(megabytes) * 1e6) / rows),
	]);
}
