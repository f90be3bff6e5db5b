import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { openScraping } from '../../../service/src/runs/scraping.ts';
import { openStore } from '../../../service/src/store/openStore.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startSite } from '../../support/service/startSite';
import { extract, loop, step, task } from '../../support/service/taskFiles';
import { newBatch } from './newBatch';

/** Two that work on one database, with one agent each, and what they log. */
async function openBoth(postgres: Postgres) {
	const said = new PassThrough();
	const log = pino(said);
	const store = await openStore({ data: '', database: postgres.newDatabase() }, { log });
	const scraping = () =>
		openScraping(store, {
			browser: undefined,
			agents: 1,
			log,
			onStoreFailure: (error) => log.error(error),
		});
	return { store, both: [scraping(), scraping()], said };
}

describeWithPostgres('a process that ends', () => {
	let postgres: Postgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());

	test('leaves a batch to others whose last job is done, and that it has not ended yet', async () => {
		const site = await startSite(() => '<p>row</p>');
		const { store, both, said } = await openBoth(postgres);
		for (const { dispatcher } of both) dispatcher.begin(site.baseUrl);
		// Behind theirs: they look for batches that have no tickets.
		await store.machines?.tickets.begin(undefined);
		const unfinished = store.jobs.unfinished.bind(store.jobs);
		store.jobs.unfinished = async (id) => {
			store.jobs.unfinished = unfinished;
			const left = await unfinished(id);
			void both.find(({ dispatcher }) => dispatcher.busyAgents > 0)?.dispatcher.close();
			return left;
		};
		const steps = [step('navigate', { url: site.baseUrl }), extract({ Text: {} })];
		const started = JSON.stringify(task('one page', steps));
		const { id } = await store.batches.create(newBatch({ task: started }));
		for await (const line of said) if (String(line).includes('batch successful')) break;
		expect(await store.batches.get(id)).toMatchObject({ status: 3, lineCount: 1 });
		await Promise.all(both.map((each) => each.close()));
		await store.close();
		await site.stop();
	});

	test('has others know what it has sent: with one try, that is not sent again', async () => {
		const orders: string[] = [];
		const { store, both, said } = await openBoth(postgres);
		const site = await startSite(async ({ method, body, closed }) => {
			if (method === 'GET')
				return '<form method="post"><input name="q"><button>Order</button></form>';
			orders.push(body);
			if (orders.length === 1) {
				void both.find(({ dispatcher }) => dispatcher.busyAgents > 0)?.dispatcher.close();
				await closed;
			}
			return '<p>done</p>';
		});
		for (const { dispatcher } of both) dispatcher.begin(site.baseUrl);
		await store.machines?.tickets.begin(undefined);
		const each = [
			step('navigate', { url: site.baseUrl }),
			step('inputText', { selector: 'input', useLoopItem: true }),
			step('click', { selector: 'button' }),
			extract({ Text: 'p' }),
		];
		const list = loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, each);
		const started = JSON.stringify(task('orders', [list], { tries: 1 }));
		const jobs = [{ first: 0, end: 2 }];
		const { id } = await store.batches.create(newBatch({ task: started, jobs }));
		for await (const line of said) if (String(line).includes('batch successful')) break;
		expect(orders).toEqual(['q=a', 'q=b']);
		expect(await store.batches.get(id)).toMatchObject({ status: 3, lineCount: 1, failedPages: 1 });
		const [failed] = await store.failures.of(id);
		expect(failed?.reason).toContain(`a click on button had sent POST ${site.baseUrl}/`);
		await Promise.all(both.map((each) => each.close()));
		await store.close();
		await site.stop();
	});
});
