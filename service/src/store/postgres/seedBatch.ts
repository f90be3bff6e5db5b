import { identifierKey } from '../../text/identifierKey.ts';
import type { SeededBatch } from '../batchStore.ts';
import { hashOf } from '../rowStore.ts';
import type { Query } from './connections.ts';

/** Stores a batch as it is said, with one job that is done and has all of its rows; resolves to its identifier. */
export async function seedBatch(query: Query, id: bigint, batch: SeededBatch): Promise<bigint> {
	await query(
		`INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, start_time, end_time,
			run_time, line_count, duplicated_count, captcha_count, ip_proxy_usage, request_id, fields)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, '', $16)`,
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
	await query(
		'INSERT INTO jobs (batch_id, number, first_item, end_item, done, row_count) VALUES ($1, 0, 0, 0, 1, $2)',
		id,
		batch.rows.length,
	);
	await query(
		`INSERT INTO rows (batch_id, job, number, position, hash, content)
		SELECT $1, 0, place - 1, place - 1, hash, content FROM unnest($2::bytea[], $3::text[])
		WITH ORDINALITY AS given (hash, content, place)`,
		id,
		batch.rows.map(hashOf),
		batch.rows,
	);
	return id;
}
