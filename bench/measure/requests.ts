import { randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';

/** How fast somebody answers. */
export interface Answers {
	perSecond: number;
	/** Milliseconds of an answer. */
	median: number;
	p99: number;
	/** Of those who answer, for one request. */
	processorMilliseconds: number;
	bytes: number;
}

/** Milliseconds for which is asked before anything is measured. */
const warmUp = 1_000;

/** Asks for one address after the other, over so many connections, in turn at each of those who answer. */
export async function askFor(
	path: () => string,
	{
		baseUrls,
		apiKey,
		connections,
		seconds,
		processor,
	}: {
		baseUrls: string[];
		apiKey: string;
		connections: number;
		seconds: number;
		/** Milliseconds that those who answer have kept processors busy. */
		processor: () => number;
	},
): Promise<Answers> {
	const each = Math.ceil(connections / baseUrls.length);
	const pools = baseUrls.map((baseUrl) => new Pool(baseUrl, { connections: each }));
	const latencies = createHistogram();
	let bytes = 0;
	const request = async (pool: Pool) => {
		const headers = { authorization: `Bearer ${apiKey}`, 'x-cp-request-id': randomUUID() };
		const began = performance.now();
		const { statusCode, body } = await pool.request({ path: path(), method: 'GET', headers });
		bytes = (await body.arrayBuffer()).byteLength;
		latencies.record(Math.max(1, Math.round((performance.now() - began) * 1000)));
		if (statusCode !== 200) throw new Error(`HTTP status ${statusCode}`);
	};
	const requestFor = async (milliseconds: number) => {
		const end = performance.now() + milliseconds;
		const work = async (_: unknown, index: number) => {
			while (performance.now() < end) await request(pools[index % pools.length]);
		};
		await Promise.all(Array.from({ length: connections }, work));
	};
	await requestFor(warmUp);
	latencies.reset();
	const processorBefore = processor();
	const began = performance.now();
	await requestFor(seconds * 1000);
	const elapsed = (performance.now() - began) / 1000;
	const used = processor() - processorBefore;
	for (const pool of pools) await pool.close();
	return {
		perSecond: latencies.count / elapsed,
		median: latencies.percentile(50) / 1000,
		p99: latencies.percentile(99) / 1000,
		processorMilliseconds: used / latencies.count,
		bytes,
	};
}
