import { parse } from 'csv-parse/sync';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { runShopTask } from '../../support/n8n/runShopTask';
import { useStage } from '../../support/n8n/stage';
import {
	importTemplate,
	readTemplate,
	runTemplate,
	tryTemplate,
	withCredentials,
	withNodes,
} from '../../support/n8n/template';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { cloudClient } from '../../support/service/cloudClient';
import { startService } from '../../support/service/startService';
import { startSite } from '../../support/service/startSite';
import type { Site } from '../../support/service/startSite';
import { testControl } from '../../support/service/testControl';
import { readShop } from '../../support/shop/shopRows';
import type { ShopRow } from '../../support/shop/shopRows';
import { shopTask, slowTask } from '../../support/shop/shopTask';
import { withSink } from './sink';

/** What goes wrong in the service, and what is said of it. */
const faults: [what: string, fault: object, said: string][] = [
	[
		'a row is missing from each page',
		{ path: '/cloud/data', times: 0, shorten: 1 },
		'The service counts',
	],
	[
		'the start is refused',
		{ path: '/cloud/start', code: 9000004, msg: 'Gone.' },
		'Task or batch not found',
	],
];

/** What the sink answers to who reads the sheet. */
let sheet: JsonObject[] = [];

describe('the examples, imported into a real n8n', () => {
	const stage = useStage(() => startService({ env: { SERVICE_TEST_CONTROL: 'true' } }));
	let sink: Site;

	beforeAll(async () => {
		sink = await startSite(({ method }) => ({
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(method === 'GET' ? sheet : { ok: true }),
		}));
	});

	beforeEach(() => {
		sink.requests.length = 0;
	});

	afterEach(async () => {
		await control().deleteFaults();
	});

	afterAll(async () => {
		await sink?.stop();
	});

	/** Imports a template as its users do, but for the services that a test cannot reach. */
	async function imported(file: string, change = (node: JsonObject) => node): Promise<string> {
		const template = withSink(readTemplate(file), sink.baseUrl);
		const ready = withCredentials(template, { cloudScrapingApi: stage.credential });
		return await importTemplate(stage.n8n, withNodes(ready, change));
	}

	const control = () => testControl(stage.service);
	const sent = () => sink.requests.filter(({ method }) => method === 'POST');
	const sentJson = () => sent().map(({ body }) => objectAt(JSON.parse(body)));

	async function differentRows(): Promise<ShopRow[]> {
		const rows = await readShop(stage.service);
		return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
	}

	it('appends the rows of a scheduled run to a sheet', async () => {
		await runTemplate(stage.n8n, await imported('scheduled-run-to-google-sheets.json'));
		expect(sentJson()).toEqual(await differentRows());
	});

	it.each(faults)('appends nothing where %s, and the run fails', async (_, fault) => {
		await control().setFaults(fault);
		const id = await imported('scheduled-run-to-google-sheets.json');
		const { status } = await tryTemplate(stage.n8n, id);
		expect(status).toBe('error');
		expect(sent()).toEqual([]);
	});

	it('tells Slack about the rows that are new, and is silent when none are', async () => {
		const id = await imported('new-rows-to-slack.json');
		const rows = await differentRows();
		await runTemplate(stage.n8n, id);
		const [message] = sentJson();
		expect(message.text).toContain(`${rows.length} new or changed products:`);
		expect(message.text).toContain(`• ${rows[0].Name}: ${rows[0].Price} (new)`);
		await runTemplate(stage.n8n, id);
		expect(sent()).toHaveLength(1);
	});

	it.each(faults)(
		'tells Slack why where %s, and of the rows the next time',
		async (_, fault, said) => {
			const id = await imported('new-rows-to-slack.json');
			await control().setFaults(fault);
			await runTemplate(stage.n8n, id);
			expect(sentJson()).toEqual([
				{ text: expect.stringContaining(`The new rows could not be had:\n${said}`) as unknown },
			]);
			await control().deleteFaults();
			await runTemplate(stage.n8n, id);
			expect(sentJson()[1].text).toContain(`${(await differentRows()).length} new or changed`);
		},
	);

	it('sends the rows of a finished batch to a webhook', async () => {
		await runShopTask(stage);
		await runTemplate(stage.n8n, await imported('finished-batch-to-webhook.json'));
		const [{ rows }] = sentJson();
		const shop = await readShop(stage.service);
		expect(rows).toEqual(
			shop.map((row): unknown => expect.objectContaining({ ...row, _taskId: shopTask.id })),
		);
	});

	it('sends to the webhook of which batch there are no rows, and why', async () => {
		await runShopTask(stage);
		const { list } = await cloudClient(stage.service).batches(shopTask.id);
		await control().setFaults({ path: '/cloud/data', times: 0, shorten: 1 });
		await runTemplate(stage.n8n, await imported('finished-batch-to-webhook.json'));
		const [{ batchID, rows, error, message }, ...others] = sentJson();
		expect([String(batchID), rows, others]).toEqual([list[0].batchID, undefined, []]);
		expect(error).toContain(`The service counts 72 rows in batch ${list[0].batchID}`);
		expect(message).toContain("set the option 'On Missing Rows'");
	});

	it('scrapes the URLs of a sheet and mails the rows as CSV', async () => {
		const products = ['P003', 'P001', 'P002'];
		sheet = products.map((product) => ({
			url: `${stage.service.baseUrl}/shop/products/${product}`,
		}));
		await runTemplate(stage.n8n, await imported('urls-from-sheet-to-csv-mail.json'));
		const [mail] = sent();
		expect(mail.url.searchParams.get('subject')).toMatch(/^3 rows scraped on \d{4}-\d\d-\d\d$/);
		expect(mail.url.searchParams.get('text')).toBe('3 rows are attached as products.csv.');
		const rows: Record<string, string>[] = parse(mail.body, { columns: true, bom: true });
		expect(rows.map(({ Name }) => Name)).toEqual(['Oak Shelf', 'Oak Chair', 'Oak Table']);
	});

	it.each(faults)('mails why where %s', async (_, fault, said) => {
		sheet = [{ url: `${stage.service.baseUrl}/shop/products/P001` }];
		await control().setFaults(fault);
		await runTemplate(stage.n8n, await imported('urls-from-sheet-to-csv-mail.json'));
		const [mail, ...others] = sent();
		expect(others).toEqual([]);
		const subject = mail.url.searchParams.get('subject');
		expect(subject).toMatch(/^No rows on \d{4}-\d\d-\d\d: /);
		expect(subject).toContain(said);
		expect(mail.url.searchParams.get('text')).toContain(said);
	});

	it('runs several tasks side by side, and gives the rows of each', async () => {
		const { runs } = await runTemplate(stage.n8n, await imported('runs-side-by-side.json'));
		const started = runs['Start All'][0].items;
		expect(new Set(started.map(({ taskID }) => taskID)).size).toBe(3);
		const rows = runs['Wait for All and Get Data'][0].items;
		for (const { taskID, batchID } of started) {
			const { list } = await cloudClient(stage.service).batches(textAt({ taskID }, 'taskID'));
			expect(list[0]).toMatchObject({ batchID: String(batchID), status: 3 });
			const own = rows.filter((row) => row._taskId === taskID && row._batchId === batchID);
			expect(own).toHaveLength(list[0].lineCount);
			expect(own.length).toBeGreaterThan(0);
		}
	});

	it.each(faults)(
		'gives the rows of the other tasks where %s of one, and says why',
		async (_, fault, said) => {
			await control().setFaults({ ...fault, taskID: shopTask.id });
			const id = await imported('runs-side-by-side.json');
			const { status, error, runs } = await tryTemplate(stage.n8n, id);
			const rows = runs['Wait for All and Get Data'][0].items;
			expect(new Set(rows.map((row) => row._taskId)).size).toBe(2);
			expect(rows.filter((row) => row._taskId === shopTask.id)).toEqual([]);
			expect(status).toBe('error');
			expect(textAt(error, 'message')).toContain(said);
		},
	);

	it('stops a batch that has been running for too long', async () => {
		const run = async (parameters: JsonObject) => {
			const execution = await stage.n8n.runWorkflow(
				chain(cloudScraping('Node', stage.credential, { taskId: slowTask, ...parameters })),
			);
			return execution.runs.Node[0].items;
		};
		// As many pages as no machine is too slow to be in time for.
		const urls = Array.from({ length: 5_000 }, () => `${stage.service.baseUrl}/shop/products/P001`);
		const longLoop = { id: '55555555-0000-4000-8000-100000000001', urls: urls.join('\n') };
		const actionParams = { urlList: [longLoop] };
		const [started] = await run({ operation: 'start', actionParams });
		for (let seconds = 0; seconds < 1;) {
			const [batch] = await run({ operation: 'listBatches' });
			seconds = Number(batch.useTime);
		}
		// The settings that its note tells to set: this task, and a limit that the test can wait for.
		const id = await imported('stop-slow-batches.json', (node) => {
			const parameters = objectAt(node, 'parameters');
			if (node.name === 'List Running Batches') {
				return { ...node, parameters: { ...parameters, taskId: slowTask } };
			}
			return node.name === 'Running for Too Long'
				? { ...node, parameters: withLimit(parameters, 0) }
				: node;
		});
		const { runs } = await runTemplate(stage.n8n, id);
		expect(runs['Stop Task'][0].items).toEqual([
			expect.objectContaining({ batchID: started.batchID, statusName: 'stopped' }),
		]);
	});
});

/** The parameters of a Filter node with another number on the right of its first condition. */
function withLimit(parameters: JsonObject, rightValue: number): JsonObject {
	const filter = objectAt(parameters, 'conditions');
	const [condition, ...others] = listAt(filter, 'conditions');
	const conditions = [{ ...objectAt(condition), rightValue }, ...others];
	return { ...parameters, conditions: { ...filter, conditions } };
}
