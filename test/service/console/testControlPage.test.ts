import { testAtLength } from '../../support/length';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { testControl } from '../../support/service/testControl';
import { expectUsable, views } from '../../support/service/usable';

const taskID = '11111111-1111-4111-8111-111111111111';
let service: RunningService;
let control: ReturnType<typeof testControl>;

beforeAll(async () => {
	service = await startService({ env: { SERVICE_TEST_CONTROL: 'true' } });
	control = testControl(service);
});
afterAll(() => service?.stop());
beforeEach(() => control.reset());

/** A form of the page with this text in it. */
const send = async (form: string, json = '') => {
	const visit = await consoleClient(service);
	return visit(`/console/test-control/${form}`, {
		method: 'POST',
		body: new URLSearchParams({ json }),
	});
};

test('every page says when faults are on, and only then', async () => {
	const visit = await consoleClient(service);
	const [batchID = ''] = await control.seed({ taskID });
	const pages = [
		...['/console/', '/console/keys', '/console/new', '/console/test-control'],
		...[`/console/tasks/${taskID}`, `/console/batches/${batchID}`, '/console/nothing'],
	];
	const saying = async () => {
		const texts = await Promise.all(pages.map(async (path) => (await visit(path)).text()));
		return texts.filter((text) => text.includes('go wrong on')).length;
	};
	expect(await saying()).toBe(0);
	await control.setFaults({ path: '/cloud/stop', code: 1 });
	expect(await saying()).toBe(pages.length);
	const outside = await fetch(`${service.baseUrl}/console/sign-in`);
	expect(await outside.text()).not.toContain('go wrong on');
	await control.deleteFaults();
	expect(await saying()).toBe(0);
});

test('shows and changes the faults that are on', async () => {
	const visit = await consoleClient(service);
	const fault = { path: '/cloud/data', times: 3, status: 503 };
	await control.setFaults(fault);
	const shown = await (await visit('/console/test-control')).text();
	const [, text = ''] = /<textarea id="faults"[^>]*>([^<]*)/.exec(shown) ?? [];
	expect(JSON.parse(text.replaceAll('&quot;', '"'))).toEqual([fault]);
	expect((await send('faults', JSON.stringify([{ ...fault, times: 7 }]))).status).toBe(303);
	expect(await control.faults()).toEqual([{ ...fault, times: 7 }]);
	expect((await send('faults')).status).toBe(303);
	expect(await control.faults()).toEqual([]);
});

test.each([
	['faults', '[{"path": "/cloud/data"}]', 'faults.0.path needs what is to go wrong'],
	['faults', '[<b>', 'This is not JSON'],
	['seed', '{"batches": [{}]}', 'batches.0.taskID is missing'],
])('what is wrong in %s is said, and what was entered stays: %s', async (form, json, message) => {
	const answer = await send(form, json);
	expect(answer.status).toBe(400);
	const page = await answer.text();
	expect(plainText(page)).toContain(message);
	expect(plainText(page)).toContain(json);
	expect(await control.faults()).toEqual([]);
});

test('stores batches, shows one as a seed takes it, and forgets all', async () => {
	const fields = [{ id: 'n', name: 'Name' }];
	const seed = { batches: [{ taskID, status: 4, fields, rows: [{ n: '<b>Emma</b>' }] }] };
	const stored = await (await send('seed', JSON.stringify(seed))).text();
	const [, id = ''] = /\/console\/batches\/(\d+)"/.exec(stored) ?? [];
	const visit = await consoleClient(service);
	const shown = await (await visit(`/console/test-control/batch?id=${id}`)).text();
	expect(shown).toContain('&lt;b&gt;Emma&lt;/b&gt;');
	expect((await visit('/console/test-control/batch?id=1')).status).toBe(404);
	expect((await send('reset')).status).toBe(303);
	expect((await visit(`/console/batches/${id}`)).status).toBe(404);
});

test('is not there without the setting', async () => {
	const own = await startService();
	const visit = await consoleClient(own);
	expect((await visit('/console/test-control')).status).toBe(404);
	expect(await (await visit('/console/')).text()).not.toContain('Test control');
	await own.stop();
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test('pages that stay open learn that faults are switched on and off', async () => {
		const [batchID = ''] = await control.seed({ taskID });
		const { page } = await visitConsole(browser(), service);
		const banner = page.getByRole('status').getByText('1 fault is on: answers and runs go wrong');
		const pages = ['/console/', '/console/keys', '/console/test-control', '/console/api'];
		for (const path of [...pages, `/console/tasks/${taskID}`, `/console/batches/${batchID}`]) {
			await page.goto(path);
			await control.setFaults({ path: '/cloud/stop', code: 1 });
			await banner.waitFor();
			if (path === '/console/test-control') {
				await page.getByText('1 fault on, each with the times').waitFor();
			}
			await control.deleteFaults();
			await banner.waitFor({ state: 'hidden' });
		}
	});

	testAtLength('a batch that ends before their eyes goes on to tell of faults', async () => {
		const [batchID = ''] = await control.seed({ taskID, status: 1 });
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/batches/${batchID}`);
		await cloudClient(service).stop(taskID);
		await page.locator('#batch-state').getByText('Stopped').first().waitFor();
		await control.setFaults({ path: '/cloud/stop', code: 1 });
		await page.getByText('1 fault is on: answers and runs go wrong').waitFor();
	});

	test.each(views(1))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await page.goto('/console/test-control');
			const faults = page.getByLabel('Faults, as JSON');
			await faults.fill('[{"path": "/cloud/start", "drop": "after"}]');
			await page.getByRole('button', { name: 'Put these on' }).click();
			await page.getByText('1 fault is on: answers and runs go wrong').waitFor();
			await page.getByText('Examples').click();
			await expectUsable({ page, complaints });
			await page.getByRole('button', { name: 'Switch all off' }).click();
			await page.getByText('None is on').waitFor();
			await page.getByRole('button', { name: 'Store them' }).click();
			await page.getByText('1 batch stored').waitFor();
			await expectUsable({ page, complaints });
			page.once('dialog', (dialog) => void dialog.accept());
			await page.getByRole('button', { name: 'Forget all batches and faults' }).click();
			await page.getByText('None is on').waitFor();
		},
	);
});
