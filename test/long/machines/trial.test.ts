import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../../support/fastCheck';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient, type Batch, type CloudClient } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { rowsOnPage, startCountedSite, type CountedSite } from './countedSite';
import { Machine, planOf, type Round } from './disturbances';

const rounds = Number(process.env.ROUNDS ?? 100);

/** Of each batch: ten of them read the 3,000 pages of the site. */
const pages = 300;
const numbers = Array.from({ length: pages }, (_, number) => number);
const everyRow = numbers.flatMap(rowsOnPage).map((Text) => ({ Text }));
const duplicatedCount = everyRow.length - new Set(everyRow.map(({ Text }) => Text)).size;

const tasks = {
	anywhere: { requestsPerHost: 6 },
	american: { requestsPerHost: 3 },
	british: { requestsPerHost: 3 },
	seen: { requestsPerHost: 2, page: 'browser' },
	/** As its site knows the visitor, no agent opens a page ahead: of each, one at most is under way. */
	known: { requestsPerHost: 2, page: 'browser', headers: { Authorization: 'Basic a25vd246' } },
};

/** Batches side by side; when one has ended, another one like it begins. */
const lines: { name: keyof typeof tasks; nodeCount: number; jobCount: number; region?: string }[] =
	[
		{ name: 'anywhere', nodeCount: 1, jobCount: 1 },
		{ name: 'anywhere', nodeCount: 2, jobCount: 20 },
		{ name: 'anywhere', nodeCount: 3, jobCount: 6 },
		{ name: 'anywhere', nodeCount: 8, jobCount: 30 },
		{ name: 'american', nodeCount: 2, jobCount: 4, region: 'us' },
		{ name: 'american', nodeCount: 3, jobCount: 3, region: 'us' },
		{ name: 'british', nodeCount: 2, jobCount: 4, region: 'gb' },
		{ name: 'british', nodeCount: 3, jobCount: 3, region: 'gb' },
		{ name: 'known', nodeCount: 1, jobCount: 2 },
		{ name: 'seen', nodeCount: 2, jobCount: 6 },
	];

describeWithPostgres('four machines in two regions', () => {
	let postgres: Postgres;
	let database: string;
	let site: CountedSite;
	let services: RunningService[] = [];
	let clients: CloudClient[];
	let machines: Machine[] = [];
	/** Resolves when the database is there; what is asked of it meanwhile. */
	let there = Promise.resolve();
	const asking = new Set<Promise<unknown>>();

	beforeAll(async () => {
		postgres = await startPostgres();
		database = postgres.newDatabase();
		site = await startCountedSite();
		const files = Object.entries(tasks).map(([name, settings]) => {
			site.allow(name, settings.requestsPerHost);
			const none = { loopType: 'list', listType: 'urlList', urls: [site.baseUrl] };
			const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
			return [name, task(name, [loop(none, steps, 'pages')], settings)];
		});
		for (let each = 0; each < 2; each += 1) {
			services.push(
				await startService({
					env: { SERVICE_DATABASE: database, SERVICE_AGENTS: '0' },
					tasks: Object.fromEntries(files) as Record<string, unknown>,
				}),
			);
		}
		clients = services.map(cloudClient);
		for (const region of ['us', 'gb', 'us', 'gb']) {
			machines.push(await Machine.start(region, database));
		}
	});
	afterAll(async () => {
		await Promise.all(machines.map((machine) => machine.stop()));
		await Promise.all(services.map((service) => service.stop()));
		await site?.stop();
		await postgres?.stop();
		machines = [];
		services = [];
	});

	/** Does what fails while the database is away: before that, or after it. */
	async function whileThere<Result>(work: () => Promise<Result>): Promise<Result> {
		await there;
		const asked = work();
		asking.add(asked);
		return asked.finally(() => asking.delete(asked));
	}

	async function restartDatabase(seconds: number): Promise<void> {
		let isBack = () => {};
		there = new Promise((resolve) => (isBack = resolve));
		await Promise.allSettled(asking);
		await postgres.crash();
		await sleep(seconds * 1_000);
		await postgres.begin();
		for (const { baseUrl } of services) {
			while (!(await fetch(`${baseUrl}/readyz`)).ok) await sleep(100);
		}
		isBack();
	}

	/** The batch when it has ended. */
	async function endOf({ batchID, taskID }: Batch, client: CloudClient): Promise<Batch> {
		for (;;) {
			const { list } = await whileThere(() => client.batches(taskID, { size: 100 }));
			const found = list.find((batch) => batch.batchID === batchID);
			if (found && found.status >= 3) return found;
			await sleep(500);
		}
	}

	test(
		'store each row once and in order, whichever of them is killed, frozen, cut off or restarted',
		async () => {
			const plan = planOf(rounds);
			say(`SEED=${seed} ROUNDS=${rounds}`);
			let begun = 0;
			let inLanes = 2;
			let batches = 0;
			let failure: Error | undefined;

			/** Disturbs two of the machines, one in each region, one after the other. */
			async function disturb(own: Machine[]): Promise<void> {
				for (let round = plan[begun]; round && !failure; round = plan[begun]) {
					begun += 1;
					const said = wordsFor(round);
					say(`${said} (${batches} batches so far)`);
					await within(300, said, disturbOnce(round, own));
				}
				inLanes -= 1;
			}

			async function disturbOnce({ how, seconds, machine }: Round, own: Machine[]): Promise<void> {
				if (how === 'database') await restartDatabase(seconds * 2);
				else await own[machine].disturb(how, seconds, whileThere);
				await sleep(seconds * 300);
			}

			async function keepBatches(line: number): Promise<void> {
				const { name, ...settings } = lines[line];
				for (let turn = 0; (turn === 0 || inLanes > 0) && !failure; turn += 1) {
					const folder = `${name}-${line}-${turn}`;
					site.allow(folder, settings.nodeCount);
					const value = numbers.map((number) => `${site.baseUrl}/${name}/${folder}/${number}`);
					const actionParams = [{ id: uuidOf('pages'), value }];
					const start = { ...settings, actionParams };
					const one = clients[turn % 2];
					const other = clients[(turn + 1) % 2];
					const batch = await whileThere(() => one.start(uuidOf(name), start));
					const ended = await within(900, `batch ${batch.batchID}`, endOf(batch, other));
					expect(ended).toMatchObject({ status: 3, lineCount: everyRow.length, duplicatedCount });
					expect(await whileThere(() => other.rowsOf(ended))).toEqual(everyRow);
					expect(site.excesses).toEqual([]);
					batches += 1;
				}
			}

			const fail = (error: unknown) =>
				void (failure ??= error instanceof Error ? error : new Error(String(error)));
			await Promise.all([
				...[machines.slice(0, 2), machines.slice(2)].map((own) => disturb(own).catch(fail)),
				...lines.map((_, line) => keepBatches(line).catch(fail)),
			]);
			if (failure) {
				const again = `SEED=${seed} ROUNDS=${rounds} npm run test:machines`;
				throw new Error(`After round ${begun} (again: ${again}): ${failure.message}`, {
					cause: failure,
				});
			}
			const assertion = 'ASSERT (SELECT sum(failed_pages) FROM cloud_scraping.batches) = 0';
			postgres.run([`DO $$ BEGIN ${assertion}; END $$`], new URL(database).pathname.slice(1));
			say(
				`${batches} batches, ${batches * everyRow.length} rows, ${site.requests.length} requests for ${batches * pages} pages`,
			);
		},
		(rounds * 30 + 900) * 1_000,
	);
});

function wordsFor({ number, how, machine, seconds }: Round): string {
	return `round ${number + 1}: ${how}, machine ${machine}, ${seconds} s`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** What hangs is named long before the whole test has taken too long. */
async function within<Result>(
	seconds: number,
	what: string,
	work: Promise<Result>,
): Promise<Result> {
	const done = new AbortController();
	const late = sleep(seconds * 1_000, undefined, { signal: done.signal }).then(() => {
		throw new Error(`${what}: not over after ${seconds} seconds`);
	});
	return await Promise.race([work, late]).finally(() => done.abort());
}
