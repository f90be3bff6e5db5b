import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { isFullLength, testAtLength } from '../../support/length';
import { cloudClient, type Batch, type CloudClient } from '../../support/service/cloudClient';
import { visitConsole } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { axeFindings, expectUsable, views } from '../../support/service/usable';

/** Pages of a site whose answers wait until they are let go, in the order of their numbers. */
class HeldPages {
	#open = 0;
	#waiting: { number: number; letGo: () => void }[] = [];

	wait(number: number): Promise<void> {
		if (number <= this.#open) return Promise.resolve();
		return new Promise((letGo) => this.#waiting.push({ number, letGo }));
	}

	/** Lets go all pages up to this number. */
	openTo(number: number): void {
		this.#open = number;
		for (const each of this.#waiting) if (each.number <= number) each.letGo();
		this.#waiting = this.#waiting.filter((each) => each.number > number);
	}
}

const steps = (paths: string[]) => [
	loop({ loopType: 'list', listType: 'urlList', urls: paths.map((path) => `{base}${path}`) }, [
		step('navigate', { useLoopItem: true }),
		extract({ Name: 'b', Link: { selector: 'a', attribute: 'href' }, Missing: '.no' }, 'p'),
	]),
];

const watchedPages = [1, 2, 3, 4].map((number) => `/held/${number}`);
const endlessPages = Array.from({ length: 500 }, (_, number) => `/slow/${number}`);
const mixedPages = ['/list/90', '/broken', '/list/30'];

let site: Site;
let service: RunningService;
let client: CloudClient;
let held: HeldPages;
/** A batch of "mixed" that has ended. */
let mixed: Batch;

describeWithBrowser('the page of a batch', () => {
	const browser = useChromium();
	beforeAll(async () => {
		site = await startSite(async ({ url: { pathname } }) => {
			const [, kind, name] = pathname.split('/');
			if (kind === 'broken') return { status: 404, body: 'gone' };
			if (kind === 'held') await held.wait(Number(name));
			const count = kind === 'list' ? Number(name) : 20;
			return Array.from(
				{ length: count },
				(_, row) => `<p><b>${pathname} row ${row + 1}</b> <a href="/${row}">more</a></p>`,
			).join('');
		});
		const atSite = (content: object): unknown =>
			JSON.parse(JSON.stringify(content).replaceAll('{base}', site.baseUrl));
		service = await startService({
			tasks: {
				watched: atSite(task('watched', steps(watchedPages))),
				endless: atSite(task('endless', steps(endlessPages), { delay: 100 })),
				mixed: atSite(task('mixed', steps(mixedPages))),
			},
		});
		client = cloudClient(service);
		({ batch: mixed } = await client.run(uuidOf('mixed')));
	});
	beforeEach(() => {
		held = new HeldPages();
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	test.each(views(1))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			const others = isFullLength ? ['?page=2', '?q=row+3'] : [];
			for (const rest of ['', ...others, '/rows/1', '/failures']) {
				await page.goto(`/console/batches/${mixed.batchID}${rest}`);
				for (const summary of await page.locator('details:not([open]) summary').all()) {
					await summary.click();
				}
				await expectUsable({ page, complaints });
			}
		},
	);

	test.each(['left', 'middle'] as const)(
		'a row of another port of the own host leads nowhere: its site gets no session (%s button)',
		async (button) => {
			const { page } = await visitConsole(browser(), service);
			await page.goto(`/console/batches/${mixed.batchID}`);
			const seen = site.requests.length;
			const link = page.locator('.rows a[target=_blank]').first();
			await link.click({ button });
			await page.locator('.rows a[target=_blank]:not([href])').waitFor();
			await page.goto('/console/');
			expect(page.context().pages()).toHaveLength(1);
			expect(site.requests).toHaveLength(seen);
		},
	);

	test('a batch is watched from start to end without a reload', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		const batch = await openRunning(page, uuidOf('watched'));
		await page.getByText('No rows yet. They appear here as they come in.').waitFor();
		const reloads = countReloads(page);

		held.openTo(1);
		await page.getByText('Rows 1–20 of 20', { exact: true }).waitFor();
		await page.getByRole('link', { name: 'Row 20, whole' }).waitFor();
		await page.getByText('1 of 4 list items done').waitFor();
		expect(await axeFindings(page)).toEqual([]);
		await page.getByText('/held/1 row 20', { exact: true }).waitFor();
		held.openTo(3);
		await page.getByText('Rows 1–50 of 60').waitFor();
		await page.getByRole('link', { name: 'Next' }).waitFor();
		expect(await announcement(page)).toBe('');
		held.openTo(4);
		await status(page, 'Successful');
		await page.getByText('Rows 1–50 of 80').waitFor();
		await page.getByText('batch successful').waitFor();
		await expectNone(page, 'Stop');
		await page.waitForFunction("document.querySelector('#announcement').textContent !== ''");
		expect(await announcement(page)).toBe('The batch is done: 80 rows.');

		expect(reloads()).toBe(0);
		expect(complaints).toEqual([]);
		expect((await client.waitFor(batch, ({ status }) => status === 3)).lineCount).toBe(80);
	});

	testAtLength('a page lives also where a script comes late', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.route('**/hx-sse.min.js', async (route) => {
			await sleep(500);
			await route.continue();
		});
		await openRunning(page, uuidOf('watched'));
		held.openTo(4);
		await status(page, 'Successful');
	});

	testAtLength('live updates leave alone what a person has in hand', async () => {
		const { page } = await visitConsole(browser(), service);
		await openRunning(page, uuidOf('watched'));
		held.openTo(1);
		await page.getByRole('link', { name: 'Row 20, whole' }).focus();
		await page.getByLabel('Search the rows').fill('half a wo');
		await page.locator('summary').click();
		await page.getByRole('link', { name: 'Row 7, whole' }).focus();
		held.openTo(2);
		await page.getByText('Rows 1–40 of 40').waitFor();
		expect(await focused(page)).toBe('Row 7, whole');
		expect(await page.getByLabel('Search the rows').inputValue()).toBe('half a wo');
		expect(await page.locator('details').getAttribute('open')).toBeNull();

		await page.getByRole('button', { name: 'Stop' }).focus();
		held.openTo(4);
		await expectNone(page, 'Stop');
		await page.waitForFunction("document.activeElement.id === 'batch-state'");
	});

	test('a batch is stopped by mouse', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		const older = await openRunning(page, uuidOf('endless'));
		const newer = await openRunning(page, uuidOf('endless'));
		await page.goto(`/console/batches/${older.batchID}`);
		await page.getByRole('button', { name: 'Stop' }).click();
		await status(page, 'Stopped');
		expect(page.url()).toContain(`/console/batches/${older.batchID}`);
		await expectNone(page, 'Stop');
		await page.getByText(/Stopped with \d+ of 500 list items done/).waitFor();
		expect(complaints).toEqual([]);
		expect((await batchOf(older)).status).toBe(4);
		expect((await batchOf(newer)).status).toBe(2);
		await client.stop(newer.taskID);
	});

	testAtLength('a batch is stopped by keyboard', async () => {
		const { page } = await visitConsole(browser(), service);
		const batch = await openRunning(page, uuidOf('endless'));
		await page.getByText('Rows 1–').waitFor();
		for (let presses = 0; (await focused(page)) !== 'Stop'; presses += 1) {
			expect(presses).toBeLessThan(20);
			await page.keyboard.press('Tab');
		}
		await page.keyboard.press('Enter');
		await status(page, 'Stopped');
		expect((await batchOf(batch)).status).toBe(4);
	});

	test('rows are paged through, searched and opened', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		await page.goto(`/console/batches/${mixed.batchID}`);
		await page.getByRole('link', { name: 'Last' }).click();
		await page.getByText('Rows 101–120 of 120').waitFor();
		await page.getByLabel('Search the rows').fill('LIST/30 ROW 3');
		await page.keyboard.press('Enter');
		await page.getByText('2 rows found in all 120 rows.').waitFor();
		expect(await page.locator('mark').allTextContents()).toEqual([
			'list/30 row 3',
			'list/30 row 3',
		]);
		await page.getByRole('link', { name: 'Row 120, whole' }).click();
		await page.getByRole('heading', { name: 'Row 120' }).waitFor();
		await page.getByRole('link', { name: 'Previous row' }).click();
		await page.getByRole('heading', { name: 'Row 119' }).waitFor();
		await page.getByText('/list/30 row 29', { exact: true }).waitFor();
		await page.getByRole('link', { name: 'In the table' }).click();
		await page.getByText('Rows 101–120 of 120').waitFor();
		expect(complaints).toEqual([]);
	});

	testAtLength('what went wrong is there', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/batches/${mixed.batchID}`);
		const failures = page.getByRole('region', { name: 'Failed pages' });
		await failures.getByRole('link', { name: `${site.baseUrl}/broken` }).waitFor();
		await failures.getByText('HTTP 404').waitFor();
		await page
			.getByRole('region', { name: 'Selectors that matched nothing' })
			.getByText('Missing')
			.waitFor();
		await page.locator('summary').click();
		await page.getByText('page failed, skipped').waitFor();
	});
});

async function openRunning(page: Page, taskID: string): Promise<Batch> {
	const batch = await client.start(taskID);
	await client.waitFor(batch, ({ status }) => status === 2);
	await page.goto(`/console/batches/${batch.batchID}`);
	await status(page, 'Running');
	return batch;
}

async function batchOf(batch: Batch): Promise<Batch> {
	return client.waitFor(batch, () => true);
}

async function status(page: Page, name: string): Promise<void> {
	await page.locator('.figures .badge', { hasText: name }).waitFor();
}

async function expectNone(page: Page, button: string): Promise<void> {
	await page.getByRole('button', { name: button }).waitFor({ state: 'detached' });
}

function announcement(page: Page): Promise<string | null> {
	return page.locator('#announcement').textContent();
}

/** What has the keyboard: its name. */
function focused(page: Page): Promise<string> {
	return page.evaluate(
		"document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()",
	);
}

function countReloads(page: Page): () => number {
	let count = 0;
	page.on('framenavigated', () => (count += 1));
	return () => count;
}
