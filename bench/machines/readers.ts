import { fillStore } from '../ground/batches.ts';
import type { MeasuredPostgres } from '../ground/postgres.ts';
import { startService } from '../ground/service.ts';
import { processorMilliseconds } from '../measure/processUse.ts';
import { askFor } from '../measure/requests.ts';
import { table, twoDigits, whole } from '../report/table.ts';

const rows = 100_000;
/** Of those who read, over all processes that answer. */
const connections = 40;

/** One process that answers and ten, on one PostgreSQL, asked by as many readers. */
export async function readersTable(
	postgres: MeasuredPostgres,
	{ seconds }: { seconds: number },
): Promise<string> {
	const database = postgres.newDatabase();
	const counts = Array.from({ length: 1000 }, (_, batch) => (batch === 0 ? rows : 0));
	const [{ batchID, taskID }] = await fillStore({ data: '', database }, counts);
	let page = 0;
	const anyPage = (size: number) => (page = (page + 7) % (rows / size)) + 1;
	const cases: Record<string, () => string> = {
		'500 rows': () => `/cloud/data?batchID=${batchID}&page=${anyPage(500)}&size=500&preview=false`,
		'20 rows': () => `/cloud/data?batchID=${batchID}&page=${anyPage(20)}&size=20&preview=false`,
		'newest 20 batches': () => `/cloud/batches?taskID=${taskID}&page=1&size=20&orderBy=0`,
	};
	const lines: string[][] = [];
	for (const processes of [1, 10]) {
		const services = await Promise.all(
			Array.from({ length: processes }, () =>
				startService({ env: { SERVICE_DATABASE: database, SERVICE_AGENTS: '0' } }),
			),
		);
		const ofServices = () => services.reduce((sum, { pid }) => sum + processorMilliseconds(pid), 0);
		for (const [name, path] of Object.entries(cases)) {
			const before = [ofServices(), postgres.processorMilliseconds()];
			const {
				perSecond,
				median,
				p99,
				processorMilliseconds: cost,
			} = await askFor(path, {
				baseUrls: services.map(({ baseUrl }) => baseUrl),
				apiKey: services[0].apiKey,
				connections,
				seconds,
				processor: () => ofServices() + postgres.processorMilliseconds(),
			});
			const [api, own] = [ofServices() - before[0], postgres.processorMilliseconds() - before[1]];
			const [{ count }] = await postgres.ask(
				database,
				`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cloud-scraping-service'`,
			);
			lines.push([
				name,
				String(processes),
				whole(perSecond),
				twoDigits(median),
				twoDigits(p99),
				twoDigits(cost),
				`${whole((100 * own) / (own + api))} %`,
				String(count),
			]);
		}
		await Promise.all(services.map((service) => service.stop()));
	}
	const header = [
		'',
		'processes',
		'requests/s',
		'p50 ms',
		'p99 ms',
		'CPU ms a request',
		'of it PostgreSQL',
		'connections to it',
	];
	return `Read by ${connections} readers at once:\n\n${table(header, lines)}`;
}
