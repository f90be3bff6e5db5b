import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { status } from '../../../service/src/store/batch.ts';
import { openSqlite } from '../../../service/src/store/sqlite/openSqlite.ts';
import type { Store } from '../../../service/src/store/stores.ts';
import { startService, type RunningService } from '../../support/inProcess/startService';

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

/** The task of those that name no other one: it has no file. */
export const unknownTask = '99999999-9999-4999-8999-999999999999';

const log = pino({ level: 'silent' });

/** Starts a service that has these batches already; resolves to their identifiers, too. */
export async function serviceWithBatches(
	batches: StoredBatch[],
	env: Record<string, string> = {},
): Promise<{ service: RunningService; batchIDs: string[] }> {
	const folder = await newFolder();
	const store = openSqlite(join(folder, 'service.db'), {
		log,
		largeIdentifiers: env.SERVICE_LARGE_IDS === 'true',
	});
	const batchIDs: string[] = [];
	for (const batch of batches) batchIDs.push(String(await storeBatch(store, batch)));
	await store.close();
	return { service: await startService({ folder, env }), batchIDs };
}

async function storeBatch(store: Store, batch: StoredBatch): Promise<bigint> {
	const { id } = await store.batches.create({
		taskID: batch.taskID ?? unknownTask,
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: batch.columns.map((name, number) => ({ id: `f${number}`, name })),
		jobs: [{ first: 0, end: 0 }],
	});
	const rows = batch.rows.map((values, number) => ({
		position: String(number),
		content: JSON.stringify(
			Object.fromEntries(values.map((value, column) => [`f${column}`, value])),
		),
	}));
	const claim = await store.jobs.claim(id, 0);
	await store.rows.append(claim, rows);
	await store.jobs.markDone(claim);
	for (const [number, failure] of (batch.failures ?? []).entries()) {
		const place = { position: String(number), time: number + 1 };
		await store.failures.add(claim, { ...place, ...failure });
	}
	for (const [number, { selector, column }] of (batch.emptySelectors ?? []).entries()) {
		const field = column === undefined ? undefined : { id: `f${number}`, name: column };
		const used = { step: `step ${number}`, selector, ...(field && { field }) };
		await store.selectors.note(id, [{ selector: used, found: false }]);
	}
	for (const { level, message, details } of batch.log ?? []) {
		store.logs.add(id, { time: 1, level, message, details: JSON.stringify(details) });
	}
	const { endReason } = batch;
	await store.batches.end(id, endReason ? status.stopped : status.successful, endReason ?? '');
	return id;
}

/** Starts a service with a batch of so many rows: { f0: "Item 1", f1: "https://shop.example/items/1" }. */
export async function serviceWithManyRows(
	count: number,
): Promise<{ service: RunningService; batchID: string }> {
	const folder = await newFolder();
	const file = join(folder, 'service.db');
	const store = openSqlite(file, { log });
	const { id } = await store.batches.create({
		taskID: unknownTask,
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: [
			{ id: 'f0', name: 'Name' },
			{ id: 'f1', name: 'Address' },
		],
		jobs: [{ first: 0, end: 0 }],
	});
	await store.jobs.markDone(await store.jobs.claim(id, 0));
	await store.batches.end(id, status.successful);
	await store.close();
	const database = new DatabaseSync(file);
	database.exec('BEGIN');
	database
		.prepare(
			`WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ?)
			INSERT INTO rows (batch_id, job, number, position, hash, content)
			SELECT ?, 0, number, number, randomblob(32),
				'{"f0":"Item ' || (number + 1) || '","f1":"https://shop.example/items/' || (number + 1) || '"}'
			FROM numbers`,
		)
		.run(count, id);
	database.prepare('UPDATE jobs SET row_count = ? WHERE batch_id = ?').run(count, id);
	database.prepare('UPDATE batches SET line_count = ? WHERE id = ?').run(count, id);
	database.exec('COMMIT');
	database.close();
	return { service: await startService({ folder }), batchID: String(id) };
}

function newFolder(): Promise<string> {
	return mkdtemp(join(tmpdir(), 'cloud-scraping-batches-'));
}
