import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, startService, type RunningService } from '../../support/service/startService';

/** A batch that has ended before its service starts. */
export interface StoredBatch {
	taskID?: string;
	/** Names of its columns; the id of each is "f" with its number, from 0 on. */
	columns: string[];
	/** The values of each row, by column; of those that are absent the row has none. */
	rows: (string | undefined)[][];
	endReason?: string;
	failures?: { what: string; address: string; reason: string; tries: number }[];
	/** Selectors that have found nothing; with a column: those of a field. */
	emptySelectors?: { selector: string; column?: string }[];
	log?: { level: string; message: string; details: object }[];
}

/** Starts a service that has these batches already; resolves to their identifiers, too. */
export async function serviceWithBatches(
	batches: StoredBatch[],
	env: Record<string, string> = {},
): Promise<{ service: RunningService; batchIDs: string[] }> {
	const folder = await newFolder();
	const file = join(folder, 'batches.json');
	await writeFile(file, JSON.stringify(batches));
	const large = env.SERVICE_LARGE_IDS ?? 'false';
	const printed = await runScript(storing, join(folder, 'service.db'), file, large);
	const service = await startService({ folder, env });
	return { service, batchIDs: printed.trim().split(' ') };
}

/** Starts a service with a batch of so many rows: { f0: "Item 1", f1: "https://shop.example/items/1" }. */
export async function serviceWithManyRows(
	count: number,
): Promise<{ service: RunningService; batchID: string }> {
	const folder = await newFolder();
	const printed = await runScript(storingMany, join(folder, 'service.db'), String(count));
	return { service: await startService({ folder }), batchID: printed.trim() };
}

function newFolder(): Promise<string> {
	return mkdtemp(join(tmpdir(), 'cloud-scraping-batches-'));
}

const storing = `
	import { readFileSync } from 'node:fs';
	import { BatchLogStore } from './store/batchLogStore.ts';
	import { BatchStore } from './store/batchStore.ts';
	import { openDatabase } from './store/database.ts';
	import { FailureStore } from './store/failureStore.ts';
	import { JobStore } from './store/jobStore.ts';
	import { RowStore } from './store/rowStore.ts';
	import { SelectorStore } from './store/selectorStore.ts';
	const [path, file, large] = process.argv.slice(1);
	const database = openDatabase(path);
	const batches = new BatchStore(database, { largeIdentifiers: large === 'true' });
	const logs = new BatchLogStore(database, (error) => { throw error; });
	const ids = JSON.parse(readFileSync(file, 'utf8')).map((batch) => {
		const taskID = batch.taskID ?? '99999999-9999-4999-8999-999999999999';
		const fields = batch.columns.map((name, number) => ({ id: 'f' + number, name }));
		const { id } = batches.create({
			taskID, task: '{}', region: 'us', nodeCount: 1, requestID: 'test', fields, jobs: [{ first: 0, end: 0 }],
		});
		const rows = batch.rows.map((values, number) => ({
			position: String(number),
			content: JSON.stringify(Object.fromEntries(values.map((value, column) => ['f' + column, value ?? undefined]))),
		}));
		new RowStore(database).append(id, 0, rows);
		new JobStore(database).markDone(id, 0);
		(batch.failures ?? []).forEach((failure, number) =>
			new FailureStore(database).add(id, { job: 0, position: String(number), time: number + 1, ...failure }),
		);
		(batch.emptySelectors ?? []).forEach(({ selector, column }, number) =>
			new SelectorStore(database).note(
				id, { step: 'step ' + number, selector, ...(column && { field: { id: 'f' + number, name: column } }) }, false,
			),
		);
		for (const line of batch.log ?? []) {
			logs.add(id, { time: 1, level: line.level, message: line.message, details: JSON.stringify(line.details) });
		}
		batches.end(id, batch.endReason ? 4 : 3, batch.endReason ?? '');
		return id;
	});
	logs.flush();
	database.close();
	process.stdout.write(ids.join(' '));
`;

const storingMany = `
	import { BatchStore } from './store/batchStore.ts';
	import { openDatabase } from './store/database.ts';
	import { JobStore } from './store/jobStore.ts';
	const [path, count] = process.argv.slice(1);
	const database = openDatabase(path);
	const batches = new BatchStore(database);
	const { id } = batches.create({
		taskID: '99999999-9999-4999-8999-999999999999',
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: [{ id: 'f0', name: 'Name' }, { id: 'f1', name: 'Address' }],
		jobs: [{ first: 0, end: 0 }],
	});
	database.exec('BEGIN');
	database.prepare(\`
		WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?)
		INSERT INTO rows (batch_id, job, number, position, hash, content)
		SELECT ?, 0, number, number, randomblob(32),
			'{"f0":"Item ' || (number + 1) || '","f1":"https://shop.example/items/' || (number + 1) || '"}'
		FROM numbers
	\`).run(Number(count), id);
	database.prepare('UPDATE jobs SET row_count = ? WHERE batch_id = ?').run(Number(count), id);
	database.prepare('UPDATE batches SET line_count = ? WHERE id = ?').run(Number(count), id);
	database.exec('COMMIT');
	new JobStore(database).markDone(id, 0);
	batches.end(id, 3);
	database.close();
	process.stdout.write(String(id));
`;
