import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Contender, ReadJob } from './contender.ts';

/**
 * The limit: no n8n, connections that stay open, all pages known from the start. It does what the
 * node must do, no more: look up the batch, get its pages, parse and rename each row.
 */
export const read: Contender = async (job) => {
	const pool = new Pool(job.baseUrl, { connections: job.concurrency });
	try {
		const { rows, columns } = await lookUp(pool, job);
		const pages = Math.ceil(rows / job.pageSize);
		const results: object[][] = [];
		let next = 1;
		const work = async () => {
			while (next <= pages) {
				const page = next++;
				results[page - 1] = await readPage(pool, job, page, columns);
			}
		};
		await Promise.all(Array.from({ length: job.concurrency }, work));
		return results.flat().length;
	} finally {
		await pool.close();
	}
};

export const begin = () => Promise.resolve();
export const end = () => Promise.resolve();

interface Batches {
	data: { list: { batchID: number; lineCount: number; fields: { id: string; name: string }[] }[] };
}

interface Rows {
	data: { list: string[] };
}

async function lookUp(pool: Pool, { apiKey, taskID, batchID }: ReadJob) {
	const query = new URLSearchParams({ page: '1', size: '100', taskID, orderBy: '0' });
	const text = await get(pool, `/cloud/batches?${query.toString()}`, apiKey);
	// A 64-bit integer, which JSON.parse would round.
	const batches = JSON.parse(text.replace(/"batchID":(\d+)/g, '"batchID":"$1"')) as Batches;
	const batch = batches.data.list.find((candidate) => String(candidate.batchID) === batchID);
	if (!batch) throw new Error(`There is no batch ${batchID}`);
	return {
		rows: batch.lineCount,
		columns: new Map(batch.fields.map(({ id, name }) => [id, name])),
	};
}

async function readPage(
	pool: Pool,
	{ apiKey, batchID, pageSize }: ReadJob,
	page: number,
	columns: Map<string, string>,
): Promise<object[]> {
	const query = `page=${page}&size=${pageSize}&batchID=${batchID}&preview=false`;
	const { data } = JSON.parse(await get(pool, `/cloud/data?${query}`, apiKey)) as Rows;
	return data.list.map((text) => {
		const row = JSON.parse(text) as Record<string, unknown>;
		const json: Record<string, unknown> = {};
		for (const id in row) json[columns.get(id) ?? id] = row[id];
		return { json };
	});
}

async function get(pool: Pool, path: string, apiKey: string): Promise<string> {
	const { statusCode, body } = await pool.request({
		method: 'GET',
		path,
		headers: { authorization: `Bearer ${apiKey}`, 'x-cp-request-id': randomUUID() },
	});
	const text = await body.text();
	if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${text}`);
	return text;
}
