// Requests per second and p99 of the two reading endpoints, with what they are asked for in earnest:
// 500 rows a page out of 100,000, and a page of 10,000 batches of one task.
//
//     npm exec -- node bench/service/reading.mjs [seconds per case]

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { BatchStore } from '../../service/src/store/batchStore.ts';
import { openDatabase } from '../../service/src/store/database.ts';
import { JobStore } from '../../service/src/store/jobStore.ts';
import { RowStore } from '../../service/src/store/rowStore.ts';

const seconds = Number(process.argv[2] ?? 5);
const connections = 8;
const rowCount = 100_000;
const batchCount = 10_000;
const taskID = '11111111-1111-4111-8111-111111111111';
const fields = ['Name', 'Category', 'Price', 'Link'].map((name) => ({ id: randomUUID(), name }));

const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-bench-'));
try {
	const batchID = fill(join(folder, 'service.db'));
	await measure(batchID);
} finally {
	await rm(folder, { recursive: true });
}

/** Fills a database; returns the id of the batch that has the rows. */
function fill(path) {
	const database = openDatabase(path);
	const batches = new BatchStore(database);
	const rows = new RowStore(database);
	const jobs = new JobStore(database);
	const ids = [];
	for (let count = 0; count < batchCount; count += 1) {
		const { id } = batches.create({
			taskID,
			task: '{}',
			region: 'us',
			nodeCount: 1,
			requestID: randomUUID(),
			fields,
			jobs: [{ first: 0, end: 0 }],
		});
		ids.push(id);
		if (count > 0) batches.end(id, 3);
	}
	for (let start = 0; start < rowCount; start += 1000) {
		const part = Array.from({ length: 1000 }, (_, index) => row(start + index));
		rows.append(ids[0], 0, part);
	}
	jobs.markDone(ids[0], 0);
	batches.end(ids[0], 3);
	database.close();
	return ids[0];
}

function row(number) {
	const values = [
		`Product ${number}`,
		'Kitchen',
		`€ ${number}.00`,
		`https://shop.example/p/${number}`,
	];
	const content = JSON.stringify(Object.fromEntries(fields.map(({ id }, at) => [id, values[at]])));
	return { position: String(number), content };
}

async function measure(batchID) {
	const service = spawn(
		process.execPath,
		[join(import.meta.dirname, '../../service/src/main.ts')],
		{
			env: {
				...process.env,
				SERVICE_PORT: '0',
				SERVICE_API_KEYS: 'bench',
				SERVICE_DATA: join(folder, 'service.db'),
			},
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const address = await addressOf(service);
	const pages = rowCount / 500;
	let page = 0;
	const anyPage = () => (page = (page + 7) % pages) + 1;
	const data =
		(more = '') =>
		() =>
			`/cloud/data?batchID=${batchID}&page=${anyPage()}&size=500&preview=false${more}`;
	const listing = (orderBy, size) => () =>
		`/cloud/batches?taskID=${taskID}&page=${(anyPage() % 90) + 1}&size=${size}&orderBy=${orderBy}`;
	const cases = [
		['/cloud/data, 500 rows', data()],
		['/cloud/data, 500 rows, preview', () => data()().replace('preview=false', 'preview=true')],
		[
			'/cloud/data, 500 rows, deduplication',
			() => data(`&deduplication=true&deduplicationID=${randomUUID()}`)(),
		],
		[
			'/cloud/batches, newest 20 of 10,000',
			() => `/cloud/batches?taskID=${taskID}&page=1&size=20&orderBy=0`,
		],
		['/cloud/batches, any 100 by creation', listing(0, 100)],
		['/cloud/batches, any 100 by running time', listing(1, 100)],
		['/cloud/batches, any 100 by rows', listing(2, 100)],
	];
	const results = [];
	let bytes = 0;
	const clock = () => processorTimeOf(service.pid);
	for (const [name, path] of cases) {
		const result = await run(address, path, clock);
		bytes ||= result.bytes;
		results.push({ case: name, ...shown(result) });
	}
	service.kill('SIGTERM');
	await once(service, 'exit');
	results.push({ case: `a bare HTTP server sending ${bytes} bytes`, ...shown(await bare(bytes)) });
	console.log(
		`Node.js ${process.version}, ${cpus().length} × ${cpus()[0].model}, ${connections} connections, ${seconds} s a case`,
	);
	console.table(results);
}

/** What this machine can do at most: the same number of bytes from a server that does nothing else. */
async function bare(bytes) {
	const body = Buffer.alloc(bytes, 'x');
	const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const result = await run(
		`http://127.0.0.1:${server.address().port}`,
		() => '/',
		() => NaN,
	);
	server.close();
	return result;
}

async function run(address, path, clock) {
	const pool = new Pool(address, { connections });
	const latencies = createHistogram();
	let bytes = 0;
	const request = async () => {
		const headers = { authorization: 'Bearer bench', 'x-cp-request-id': randomUUID() };
		const start = performance.now();
		const { statusCode, body } = await pool.request({ path: path(), method: 'GET', headers });
		bytes = (await body.arrayBuffer()).byteLength;
		latencies.record(Math.max(1, Math.round((performance.now() - start) * 1000)));
		if (statusCode !== 200) throw new Error(`HTTP status ${statusCode}`);
	};
	const until = async (end) => {
		const worker = async () => {
			while (performance.now() < end) await request();
		};
		await Promise.all(Array.from({ length: connections }, worker));
	};
	await until(performance.now() + 1000);
	latencies.reset();
	const processorStart = clock();
	const start = performance.now();
	await until(start + seconds * 1000);
	const processor = clock() - processorStart;
	const elapsed = (performance.now() - start) / 1000;
	await pool.close();
	return { latencies, elapsed, bytes, processor };
}

function shown({ latencies, elapsed, bytes, processor }) {
	return {
		'requests/s': Math.round(latencies.count / elapsed),
		'p50 ms': latencies.percentile(50) / 1000,
		'p99 ms': latencies.percentile(99) / 1000,
		'processor ms/request': Number((processor / latencies.count).toFixed(2)),
		'KiB an answer': Math.round(bytes / 1024),
	};
}

/** Milliseconds of processor time that a process has used: unlike latencies, no neighbour disturbs it. */
function processorTimeOf(pid) {
	const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.split(') ')[1]
		.split(' ')
		.slice(11, 13);
	return (Number(user) + Number(system)) * 10;
}

async function addressOf(service) {
	for await (const line of createInterface({ input: service.stdout })) {
		const { msg, address } = JSON.parse(line);
		if (msg !== 'listening') continue;
		service.stdout.resume();
		return address;
	}
	throw new Error('The service ended.');
}
