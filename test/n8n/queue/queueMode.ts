import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from '../../../playground/communityPackage.ts';
import { startN8n } from '../../../playground/n8n.ts';
import type { N8n } from '../../../playground/n8n.ts';
import { N8nApi } from '../../../playground/n8nApi.ts';
import { freePort } from '../../../playground/ports.ts';
import { owner } from '../../support/n8n/n8n';
import { packedTarball } from '../../support/n8n/packedTarball';
import { startPostgres } from './postgres';
import { startRedis } from './redis';

const playground = join(__dirname, '..', '..', '..', 'playground');

/** How many executions a worker runs at the same time: n8n's own number. */
export const concurrency = 10;

/** One of the processes that execute what the main puts into the queue. */
export interface Worker {
	n8n: N8n;
	/** The executions that it has taken from the queue, so far. */
	taken(): string[];
}

/** n8n in queue mode: a main, workers, Redis and PostgreSQL, each a real process of this machine. */
export interface QueueMode {
	api: N8nApi;
	main: N8n;
	/** Those that run. */
	workers: Worker[];
	addWorker(): Promise<Worker>;
	/** Ends n8n's main in good order or by a crash, and starts it again on the same port. */
	restartMain(how: 'stop' | 'kill'): Promise<void>;
	stop(): Promise<void>;
}

/** Starts all of it, with the packed package installed in each n8n. */
export async function startQueueMode(workerCount: number): Promise<QueueMode> {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-queue-'));
	const stops = [() => Promise.resolve(rmSync(folder, { recursive: true, force: true }))];
	const stop = async () => {
		for (const stopOne of stops.splice(0).reverse()) await stopOne();
	};
	try {
		return await startAll(folder, workerCount, stops, stop);
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startAll(
	folder: string,
	workerCount: number,
	stops: Array<() => Promise<void>>,
	stop: () => Promise<void>,
): Promise<QueueMode> {
	const redis = await startRedis(folder);
	stops.push(() => redis.program.stop());
	const postgres = await startPostgres();
	stops.push(() => postgres.stop());
	const shared = {
		...postgres.env,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// Two connections, n8n's own number, are too few for a main that is called 20 times a second.
		DB_POSTGRESDB_POOL_SIZE: '10',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
		// n8n asks npm for newer versions of what is installed; a test asks nobody.
		npm_config_offline: 'true',
	};
	const tarball = packedTarball();
	const userFolderOf = (name: string) => {
		const userFolder = join(folder, name);
		mkdirSync(userFolder);
		installCommunityPackage(tarball, userFolder);
		return userFolder;
	};

	const mainOptions = {
		playground,
		userFolder: userFolderOf('main'),
		port: await freePort(),
		brokerPort: await freePort(),
		logFile: join(folder, 'main.log'),
		env: shared,
	};
	let main = await startN8n(mainOptions);
	stops.push(() => main.stop());
	const api = new N8nApi(main.url);
	await api.signIn(owner);

	const workers: Worker[] = [];
	async function addWorker(): Promise<Worker> {
		const name = `worker ${workers.length + 1}`;
		const port = await freePort();
		const logFile = join(folder, `${name}.log`);
		const n8n = await startN8n({
			command: ['worker', `--concurrency=${concurrency}`],
			playground,
			userFolder: userFolderOf(name),
			port,
			brokerPort: await freePort(),
			logFile,
			env: {
				...shared,
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			},
		});
		stops.push(() => n8n.stop());
		const worker = { n8n, taken: () => takenIn(readFileSync(logFile, 'utf8')) };
		workers.push(worker);
		return worker;
	}
	for (let count = 0; count < workerCount; count += 1) await addWorker();

	return {
		api,
		get main() {
			return main;
		},
		get workers() {
			return workers.filter(({ n8n }) => !n8n.program.hasEnded());
		},
		addWorker,
		restartMain: async (how) => {
			await main.program[how]();
			main = await startN8n(mainOptions);
		},
		stop,
	};
}

function takenIn(log: string): string[] {
	return [...log.matchAll(/Worker started execution (\d+) /g)].map(([, id]) => id);
}
