import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { openTasks } from '../../../service/src/tasks/openTasks.ts';
import { startService, type ServiceOptions } from '../../support/inProcess/startService';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { runCommand } from '../../support/service/runCommand';
import { extract, step, task } from '../../support/service/taskFiles';

/** A task that reads one row of the demo shop. */
export const reading = (id: string, name = id) => ({
	...task(id, [step('navigate', { url: '{site}/shop/' }), extract({ Text: {} }, 'h1')]),
	name,
});

export const textOf = (id: string, name?: string) => JSON.stringify(reading(id, name));

/** For each test, an empty database and an empty folder; what a test starts ends with it. */
export function taskDatabase() {
	let postgres: Postgres;
	let database: string;
	let folder: string;
	const ends: (() => Promise<void>)[] = [];
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(async () => {
		database = postgres.newDatabase();
		folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-tasks-'));
		ends.push(() => rm(folder, { recursive: true }));
	});
	afterEach(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});
	const name = () => new URL(database).pathname.slice(1);
	return {
		get database() {
			return database;
		},
		get folder() {
			return folder;
		},
		/** Goes on with another database. */
		renew() {
			database = postgres.newDatabase();
		},
		run: (...statements: string[]) => postgres.run(statements, name()),
		contents: () => postgres.dump(name()),
		cutConnections: () =>
			postgres.run([
				`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`,
			]),
		command: (args: string[], address = database) =>
			runCommand(args, { SERVICE_DATABASE: address }).ended,

		async start(options: ServiceOptions = {}) {
			const service = await startService({ ...options, env: { SERVICE_DATABASE: database } });
			ends.push(() => service.stop());
			return service;
		},

		/** What another process has, and hears: `heard` resolves when its log says this of a file. */
		async another() {
			const said = new PassThrough({ objectMode: true });
			const log = pino({}, { write: (line) => said.write(JSON.parse(line)) });
			const store = await openStore({ data: '', database }, { log, isShared: true });
			const tasks = await openTasks(store.tasks, folder);
			tasks.watch(log);
			ends.push(async () => {
				await tasks.close();
				await store.close();
			});
			const heard = async (msg: string, file?: string) => {
				for (;;) {
					const [line] = (await once(said, 'data')) as [{ msg: string; file?: string }];
					if (line.msg === msg && line.file === file) return;
				}
			};
			return { store, tasks, log, heard };
		},
	};
}
