import type { DatabaseSync } from 'node:sqlite';
import { identifierKey } from '../../text/identifierKey.ts';
import type { SeededBatch } from '../batchStore.ts';
import { hashOf } from '../rowStore.ts';

/** Stores a batch as it is said, with one job that is done and has all of its rows; returns its identifier. */
export function seedBatch(database: DatabaseSync, id: bigint, batch: SeededBatch): bigint {
	database
		.prepare(
			`INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, start_time, end_time,
				run_time, line_count, duplicated_count, captcha_count, ip_proxy_usage, request_id, fields, creation)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, (SELECT coalesce(max(creation), 0) + 1 FROM batches))`,
		)
		.run(
			id,
			identifierKey(batch.taskID),
			batch.region,
			batch.nodeCount,
			batch.jobCount,
			batch.status,
			batch.createTime,
			batch.updateTime,
			batch.startTime,
			batch.endTime,
			batch.runTime,
			batch.lineCount,
			batch.duplicatedCount,
			batch.captchaCount,
			batch.ipProxyUsage,
			JSON.stringify(batch.fields),
		);
	database
		.prepare(
			'INSERT INTO jobs (batch_id, number, first_item, end_item, done, row_count) VALUES (?, 0, 0, 0, 1, ?)',
		)
		.run(id, batch.rows.length);
	const row = database.prepare(
		'INSERT INTO rows (batch_id, job, number, position, hash, content) VALUES (?, 0, ?, ?, ?, ?)',
	);
	batch.rows.forEach((content, number) =>
		row.run(id, number, String(number), hashOf(content), content),
	);
	return id;
}
