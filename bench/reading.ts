import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from './ground/service.ts';
import { processorMilliseconds as processorMillisecondsOf } from './measure/processUse.ts';
import { askFor } from './measure/requests.ts';
import { machine, machineLine } from './report/machine.ts';
import { table, twoDigits, whole } from './report/table.ts';

/**
 * How fast the local service reads out 500 rows a page of 100,000, and a list of 10,000 batches of one
 * task. The argument: seconds for each case.
 */
const seconds = Number(process.argv[2] ?? 5);
const connections = 8;
const rowCount = 100_000;
const pages = rowCount / 500;

const where = machine();
const rowCounts = Array.from({ length: 10_000 }, (_, batch) => (batch === 0 ? rowCount : 0));
const service = await startService({ rowCounts });
const { taskID, batchID } = service.batches[0];

/** Pages in no order, as several readers ask for them. */
let page = 0;
const anyPage = () => (page = (page + 7) % pages) + 1;
const rowsPath = (more = '&preview=false') =>
	`/cloud/data?batchID=${batchID}&page=${anyPage()}&size=500${more}`;
const batchesPath = (orderBy: number) =>
	`/cloud/batches?taskID=${taskID}&page=${(anyPage() % 90) + 1}&size=100&orderBy=${orderBy}`;

const cases: Record<string, () => string> = {
	'/cloud/data, 500 rows': rowsPath,
	'/cloud/data, 500 rows, preview': () => rowsPath('&preview=true'),
	'/cloud/data, 500 rows, deduplication': () =>
		rowsPath(`&preview=false&deduplication=true&deduplicationID=${randomUUID()}`),
	'/cloud/batches, newest 20 of 10,000': () =>
		`/cloud/batches?taskID=${taskID}&page=1&size=20&orderBy=0`,
	'/cloud/batches, any 100 by creation': () => batchesPath(0),
	'/cloud/batches, any 100 by running time': () => batchesPath(1),
	'/cloud/batches, any 100 by rows': () => batchesPath(2),
};

const lines: string[][] = [];
for (const [name, path] of Object.entries(cases)) {
	lines.push(await measure(name, service.baseUrl, path, service.pid));
}
await service.stop();
lines.push(await bareServer());
const header = ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms a request', 'KiB an answer'];
process.stdout.write(
	`${machineLine(where)}; ${connections} connections, ${seconds} s a case\n\n${table(header, lines)}\n`,
);

/** What this machine can do at most: an answer as large as 500 rows, and nothing else to do. */
async function bareServer(): Promise<string[]> {
	const body = Buffer.alloc(187_000, 'x');
	const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const line = await measure('a bare HTTP server', `http://127.0.0.1:${port}`, () => '/');
	server.close();
	return line;
}

/** One line of the table; processor time is that of the process `pid`. */
async function measure(
	name: string,
	baseUrl: string,
	path: () => string,
	pid?: number,
): Promise<string[]> {
	const { perSecond, median, p99, processorMilliseconds, bytes } = await askFor(path, {
		baseUrls: [baseUrl],
		apiKey: service.apiKey,
		connections,
		seconds,
		processor: () => (pid === undefined ? NaN : processorMillisecondsOf(pid)),
	});
	return [
		name,
		whole(perSecond),
		twoDigits(median),
		twoDigits(p99),
		pid === undefined ? '' : twoDigits(processorMilliseconds),
		whole(bytes / 1024),
	];
}
