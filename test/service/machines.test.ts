import { setTimeout as sleep } from 'node:timers/promises';
import { testAtLength } from '../support/length';
import { startPostgres, type Postgres } from '../support/postgres/startPostgres';
import { describeWithPostgres } from '../support/postgres/withPostgres';
import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { startAgents, type RunningAgents } from '../support/service/startAgents';
import { startProxy } from '../support/service/startProxy';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startWire } from '../support/service/startWire';

const pages = 40;
// What waits until others are known to be lost: some twenty seconds each.
const everyPage = Array.from({ length: pages }, (_, page) => ({ Text: `page ${page}` }));

/** One of a site that has had enough in the middle of its list: it asks for a password, or ends its pages early. */
function entryAt(page: number): string {
	if (page < pages / 2) return `<!doctype html><html><body><p>page ${page}</p></body></html>`;
	const field = '<!doctype html><html><body><h1>Sign in</h1><input type="password">';
	return page % 2 === 0 ? `${field}</body></html>` : '<!doctype html><html><body><h1>Busy</h1>';
}

test('agents say what they lack', async () => {
	await expect(startAgents({})).rejects.toThrow(
		'SERVICE_DATABASE is not set: agents join a service by its PostgreSQL. Set it to the address that the service has.',
	);
});

describeWithPostgres('several processes on one PostgreSQL', () => {
	let postgres: Postgres;
	let site: Site;
	/** What happens while a page is on its way, by its path; each once. */
	const meanwhile = new Map<string, () => Promise<unknown>>();
	/** How many requests are under way, and how many at most at once since this was set to 0. */
	let underWay = 0;
	let most = 0;
	let database: string;
	let service: RunningService;
	let client: CloudClient;
	let agents: RunningAgents[] = [];

	beforeAll(async () => {
		postgres = await startPostgres();
		site = await startSite(async ({ url: { pathname } }) => {
			underWay += 1;
			most = Math.max(most, underWay);
			try {
				const happens = meanwhile.get(pathname);
				meanwhile.delete(pathname);
				// Long enough for others to come.
				await (happens?.() ?? sleep(30));
			} finally {
				underWay -= 1;
			}
			const [, kind, page] = pathname.split('/');
			return kind === 'entry' ? entryAt(Number(page)) : `<p>page ${pathname.slice(1)}</p>`;
		});
	});
	afterAll(async () => {
		await site?.stop();
		await postgres?.stop();
	});
	beforeEach(async () => {
		database = postgres.newDatabase();
		most = 0;
		service = await startService({
			env: { SERVICE_DATABASE: database, SERVICE_AGENTS: '0' },
			tasks: {
				polite: listTask('polite', {}),
				eager: listTask('eager', { requestsPerHost: 20 }),
				entries: listTask('entries', { requestsPerHost: 20 }, '/entry'),
			},
		});
		client = cloudClient(service);
	});
	afterEach(async () => {
		meanwhile.clear();
		await Promise.all(agents.map((each) => each.stop()));
		agents = [];
		await service.stop();
	});

	function listTask(name: string, settings: object, path = '') {
		const urls = Array.from({ length: pages }, (_, page) => `${site.baseUrl}${path}/${page}`);
		const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: {} }, 'p'),
		]);
		return task(name, [list], settings);
	}

	/** Starts agents, as on a machine of their own. */
	async function machine(env: Record<string, string> = {}): Promise<RunningAgents> {
		const started = await startAgents({ SERVICE_DATABASE: database, ...env });
		agents.push(started);
		return started;
	}

	/** Resolves when a page is asked for; what happens then is `first`, before the page comes. */
	function asked(path: string, first: () => unknown = () => undefined): Promise<void> {
		return new Promise((resolve) => {
			meanwhile.set(path, async () => {
				await first();
				resolve();
			});
		});
	}

	/** What came of a batch that ends by itself: each row once, in order. */
	async function expectWhole(batch: Batch): Promise<Batch> {
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(ended).toMatchObject({ status: 3, lineCount: pages, duplicatedCount: 0 });
		expect(await client.rowsOf(ended)).toEqual(everyPage);
		return ended;
	}

	const eager = uuidOf('eager');
	const polite = uuidOf('polite');
	const entries = uuidOf('entries');

	testAtLength(
		'have so many agents on a batch as it says, and make so many requests to a host as its task says',
		async () => {
			await machine();
			await machine();
			await expectWhole(await client.start(eager, { nodeCount: 3, jobCount: 20 }));
			expect(most).toBe(3);
			most = 0;
			const both = [1, 2].map(() => client.start(polite, { nodeCount: 8, jobCount: 20 }));
			for (const batch of both) await expectWhole(await batch);
			expect(most).toBe(2);
			for (const each of agents) await each.logged({ msg: 'job done' });
			const ends = () =>
				agents.flatMap(({ log }) => log.filter(({ msg }) => msg === 'batch successful'));
			// A log comes later than the answers of the API.
			await expect.poll(ends).toHaveLength(3);
		},
	);

	/** Resolves when the second half of a batch was told of, as differing from the first. */
	async function expectTold({ batchID }: Batch): Promise<void> {
		const linesOf = (msg: string) =>
			agents.flatMap(({ log }) =>
				log.filter((line) => line.batchID === batchID && line.msg === msg),
			);
		const firstEmpty = `${site.baseUrl}/entry/20`;
		const gap = { selector: 'p', pages, emptyPages: pages / 2, firstEmpty };
		await expect.poll(() => linesOf('batch successful')).toMatchObject([{ emptyOnPages: [gap] }]);
		await expect
			.poll(() => linesOf('page not whole').map(({ url }) => Number(String(url).split('/').at(-1))))
			.toEqual(Array.from({ length: pages / 2 }, (_, index) => pages / 2 + index));
	}

	test('tell of pages what the pages of all say', async () => {
		for (let count = 0; count < 2; count += 1) await machine({ SERVICE_AGENTS: '1' });
		const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		// One of them has only the pages of the second half, and begins when the other has seen some.
		meanwhile.set('/entry/3', () => (first.resolve(), second.promise));
		meanwhile.set('/entry/20', () => (second.resolve(), first.promise));
		await expectTold(await client.start(entries, { nodeCount: 2, jobCount: 2 }));
	});

	test('tell of pages what those say that one has read which has ended', async () => {
		const first = await machine({ SERVICE_AGENTS: '1' });
		meanwhile.set('/entry/20', () => {
			first.kill('SIGTERM');
			return first.ended;
		});
		const batch = await client.start(entries, { nodeCount: 1, jobCount: 1 });
		await first.ended;
		await machine();
		await expectTold(batch);
	});

	test('take over from one that is killed, where its rows end', async () => {
		const before = site.requests.length;
		const first = await machine({ SERVICE_AGENTS: '1' });
		const killed = asked('/20', () => first.kill('SIGKILL'));
		const batch = await client.start(eager, { nodeCount: 1, jobCount: 2 });
		await killed;
		await machine();
		await expectWhole(batch);
		// Only what was under way is asked for again.
		expect(site.requests).toHaveLength(before + pages + 1);
	});

	testAtLength(
		'take over from one that is frozen, which writes nothing when it is thawed, and is of use again',
		async () => {
			const first = await machine({ SERVICE_AGENTS: '2' });
			const frozen = asked('/7', () => first.kill('SIGSTOP'));
			const batch = await client.start(eager, { nodeCount: 2, jobCount: 2 });
			await frozen;
			const second = await machine();
			await expectWhole(batch);
			await second.stop();
			first.kill('SIGCONT');
			await expectWhole(await client.start(eager, { nodeCount: 2, jobCount: 4 }));
			await expectWhole(batch);
		},
	);

	testAtLength(
		'take over from one that is cut off from the database, which goes on when it is back',
		async () => {
			const { hostname, port } = new URL(database);
			const wire = await startWire(hostname, Number(port));
			const behind = new URL(database);
			behind.host = wire.host;
			const first = await machine({ SERVICE_DATABASE: behind.href });
			const cut = asked('/7', () => wire.cut());
			const batch = await client.start(eager, { nodeCount: 1, jobCount: 2 });
			await cut;
			const second = await machine();
			await expectWhole(batch);
			await first.logged({ msg: 'database lost, no task starts' });
			await second.stop();
			const said = first.log.length;
			wire.mend();
			await first.logged({ msg: 'database is back' }, said);
			await expectWhole(await client.start(eager, { nodeCount: 2, jobCount: 4 }));
			await wire.stop();
		},
	);

	testAtLength('take over from one that is cut off in the middle of a transaction', async () => {
		const { hostname, port } = new URL(database);
		const claims = 'UPDATE jobs SET claim';
		const wire = await startWire(hostname, Number(port), (sent) => {
			if (sent.includes(claims)) wire.cut();
		});
		const behind = new URL(database);
		behind.host = wire.host;
		const first = await machine({ SERVICE_DATABASE: behind.href });
		const batch = await client.start(eager, { nodeCount: 1, jobCount: 2 });
		await first.logged({ msg: 'database lost, no task starts' });
		await machine();
		await expectWhole(batch);
		await wire.stop();
	});

	testAtLength('go on when their PostgreSQL is back that was restarted', async () => {
		const both = [await machine(), await machine()];
		const away = asked('/12', () => postgres.crash());
		const batch = await client.start(eager, { nodeCount: 4, jobCount: 4 });
		await away;
		for (const each of both) await each.logged({ msg: 'database lost, no task starts' });
		await postgres.begin();
		for (const each of both) await each.logged({ msg: 'database is back' });
		await service.logged({ msg: 'database is back' });
		await expectWhole(batch);
	});

	testAtLength('call off all agents of a batch that is stopped at one of them', async () => {
		const both = [await machine({ SERVICE_AGENTS: '1' }), await machine({ SERVICE_AGENTS: '1' })];
		const never = new Promise<void>(() => undefined);
		const held = ['/0', '/20'].map(
			(path) =>
				new Promise<void>((resolve) => {
					meanwhile.set(path, () => {
						resolve();
						return never;
					});
				}),
		);
		const batch = await client.start(eager, { nodeCount: 2, jobCount: 2 });
		await Promise.all(held);
		const calledOff = site.requests.slice(-2).map(({ closed }) => closed);
		await client.stop(eager);
		await Promise.all(calledOff);
		for (const each of both) await each.logged({ msg: 'batch ended elsewhere, left' });
		underWay = 0;
		expect((await client.batches(eager)).list).toMatchObject([
			{ batchID: batch.batchID, status: 4 },
		]);
	});

	testAtLength(
		'wait for a site that is down together: one request at a time, until one is answered',
		async () => {
			await machine();
			await machine();
			/** When it was asked while it was down, and how many requests were under way then. */
			const asked: { time: number; underWay: number }[] = [];
			/** Those that come alone, after a pause; it is there again after two of them. */
			let probes = 0;
			for (let page = 0; page < pages; page += 1) {
				const down = async (): Promise<void> => {
					if (probes === 2) return;
					const time = performance.now();
					const last = asked.at(-1);
					asked.push({ time, underWay });
					if (last && time > last.time + 1_000) probes += 1;
					meanwhile.set(`/${page}`, down);
					await sleep(30);
					throw new Error('down');
				};
				meanwhile.set(`/${page}`, down);
			}
			await expectWhole(await client.start(eager, { nodeCount: 8, jobCount: 8 }));
			const times = asked.map(({ time }) => time);
			const first = times.findIndex((time, index) => time > (times[index - 1] ?? Infinity) + 1_000);
			const alone = asked.slice(first);
			expect(alone.map((each) => each.underWay)).toEqual([1, 1]);
			expect(first).toBeLessThanOrEqual(8);
		},
	);

	testAtLength(
		'work on the batches of their regions, through the proxies of those; one of no region is anybody’s',
		async () => {
			const proxy = await startProxy();
			await machine({ SERVICE_REGIONS: 'us,hk' });
			const waiting = await client.start(polite, { region: 'gb', nodeCount: 2, jobCount: 2 });
			const anywhere = await expectWhole(await client.start(polite, { nodeCount: 1, jobCount: 1 }));
			expect(anywhere).toMatchObject({ region: 'us', ipProxyUsage: 0 });
			const isWaiting = { region: 'gb', status: 1 };
			expect((await client.batches(polite)).list).toContainEqual(
				expect.objectContaining(isWaiting),
			);
			await machine({
				SERVICE_REGIONS: 'gb',
				SERVICE_REGION_PROXIES: `jp=http://127.0.0.1:1, gb=http://${proxy.host}`,
			});
			expect(await expectWhole(waiting)).toMatchObject({ region: 'gb', ipProxyUsage: pages });
			expect(proxy.asked).toHaveLength(pages);
			await proxy.stop();
		},
	);
});
