import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { consoleClient, visitConsole } from '../../support/service/console';
import { pointByRequests } from '../../support/service/pointByRequests';
import { openToPoint } from '../../support/service/pointing';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';

// What was pointed at outlives the service that it was pointed at with.

const book = (name: string) =>
	`<li class="book"><h3><a href="/book/${name}">${name}</a></h3><p class="price">${name.length} €</p></li>`;
const list = `<title>Books</title><ul>${['Emma', 'Evelina'].map(book).join('')}</ul>`;

let site: Site;
/** What the site answers at /books. */
let answer: string;
let isUp: boolean;
let service: RunningService;

beforeEach(async () => {
	answer = list;
	isUp = true;
	site = await startSite(({ url }) => {
		if (!isUp) return { status: 404 };
		const [, name] = /^\/book\/(\w+)$/.exec(url.pathname) ?? [];
		return name === undefined ? answer : `<title>${name}</title><h1>${name}</h1><i>old</i>`;
	});
	service = await startService({ tasks: {} });
});
afterEach(async () => {
	await service?.stop();
	await site?.stop();
});

/** Ends the service, and starts it once more at the same address, with the same data. */
async function restart(): Promise<void> {
	await service.end();
	const { port } = new URL(service.baseUrl);
	service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
}

const begin = () => pointByRequests(service, '/console/new', { url: `${site.baseUrl}/books` });

test('what is done next is done with what was pointed at before the service was restarted', async () => {
	const { pointAt, press, panel, firstCells, save, ...opened } = await begin();
	await pointAt('Emma');
	const frame = await opened.frame();
	const [, number = ''] = /data-pointing-number="(\d+)"[^>]*>Evelina/.exec(frame) ?? [];
	await restart();
	const said = await opened.change('point', { number });
	expect(said).toContain('The service had lost this page, and has opened it again.');
	expect(said).toContain('2 entries');
	expect(await pointAt('4 €')).not.toContain('had lost');
	await restart();
	expect(await firstCells()).toEqual(['Emma', '4 €', 'Evelina', '7 €']);
	await restart();
	expect(await press('Remove the column Name')).toContain('in 2 of 2');
	expect(panel()).toMatch(/aria-label="Redo"\s+disabled/);
	expect(await save()).toContain('?saved');
	expect(await firstCells()).toEqual(['4 €', '7 €']);
});

test('a page behind the entries is opened again, too', async () => {
	const { pointAt, press, frame, firstCells } = await begin();
	for (const text of ['Emma', 'Evelina']) await pointAt(text);
	await press('Follow a link of each entry');
	await pointAt('Emma');
	const [, number = ''] = /data-pointing-number="(\d+)"[^>]*>old/.exec(await frame()) ?? [];
	await restart();
	const said = await press('Show selectors');
	expect(said).toContain('Columns of the entry’s own page');
	expect(number).not.toBe('');
	expect(await pointAt('old')).not.toContain('had lost');
	expect(await firstCells()).toEqual(['Emma', 'old', 'Evelina', 'old']);
});

test('where other elements stand on the page now, nothing is pointed at by numbers of before', async () => {
	const { pointAt, change, panel } = await begin();
	for (const text of ['Emma', 'Evelina']) await pointAt(text);
	const before = /data-frame="([^"]*)"/.exec(panel())?.[1];
	answer = list.replace('<ul>', '<p>New</p><ul>');
	await restart();
	const said = await change('point', { number: '9' });
	expect(said).toContain('there is something else on it now');
	expect(panel()).not.toContain('Name of column 2');
	expect(/data-frame="([^"]*)"/.exec(panel())?.[1]).not.toBe(before);
	expect(await pointAt('7 €')).toContain('in 2 of 2');
});

test('without its page the draft is still there, can be saved, and is given another address', async () => {
	const { pointAt, press, change, save, panel } = await begin();
	for (const text of ['Emma', 'Evelina', '4 €']) await pointAt(text);
	isUp = false;
	await restart();
	const said = await press('Move the column Price up');
	expect(said).toContain('The page could not be opened again.');
	expect(said).toContain('HTTP 404');
	expect(said).not.toContain('The list finds nothing');
	expect(panel()).toContain(`name="url" value="${site.baseUrl}/books"`);
	expect(panel()).toMatch(/value="Price"[^]*value="Name"/);
	expect(await change('open', { url: 'nowhere' })).toContain('is not an http or https URL');
	expect(await change('open', { url: `${site.baseUrl}/moved` })).toContain('HTTP 404');
	isUp = true;
	expect(await change('open', { url: `${site.baseUrl}/moved` })).toContain('2 entries');
	expect(panel()).not.toContain('could not be opened');
	await save({ name: 'Books' });
	const file = await readFile(join(service.folder, 'tasks', 'books.json'), 'utf8');
	expect(file).toContain('/moved');
});

test('what was pointed at is saved by a service that has lost it, without its page', async () => {
	const { pointAt, save } = await begin();
	for (const text of ['Emma', 'Evelina']) await pointAt(text);
	isUp = false;
	await restart();
	expect(await save({ name: 'Books' })).toMatch(/^\/console\/tasks\/.*\?saved/);
	const file = join(service.folder, 'tasks', 'books.json');
	expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ name: 'Books' });
});

test('what a task says besides is not in the page, and stays', async () => {
	const steps = [step('navigate', { url: `${site.baseUrl}/books` }), extract({ Name: 'h3' }, 'li')];
	await service.stop();
	const settings = { headers: { authorization: 'secret' } };
	service = await startService({ tasks: { books: { ...task('books', steps), ...settings } } });
	const path = `/console/tasks/${uuidOf('books')}/point`;
	const { pointAt, press, save, pointed, panel, carried } = await pointByRequests(service, path);
	expect(pointed).not.toContain('secret');
	await restart();
	expect(await press('Show selectors')).toContain('had lost');
	expect(panel()).toContain('data-guards="changes"');
	await pointAt('4 €');
	expect(panel()).toContain('data-guards="unsaved"');
	await restart();
	expect(carried().draft).not.toContain('secret');
	expect(await save()).toContain('?saved');
	const file = await readFile(join(service.folder, 'tasks', 'books.json'), 'utf8');
	expect(JSON.parse(file)).toMatchObject({
		...settings,
		steps: [{}, { config: { selector: 'li' } }],
	});
	expect(file).toContain('Price');
});

test.each([
	['no draft', () => ''],
	['no JSON', () => '{'],
	['a selector that is none', (draft: string) => draft.replace('".book"', '"..book"')],
	['an address that is none', (draft: string) => draft.replace('http://', 'file://')],
	['more than a draft', (draft: string) => draft.replace('{', '{"more":1,')],
])('%s is refused', async (_, changed) => {
	const { pointAt, carried } = await begin();
	for (const text of ['Emma', 'Evelina']) await pointAt(text);
	const { draft } = carried();
	expect(changed(draft)).not.toBe(draft);
	const visit = await consoleClient(service);
	const send = (text: string) =>
		visit(`/console/new/${randomUUID()}/resume`, {
			method: 'POST',
			body: new URLSearchParams({ draft: text }),
		});
	expect((await send(draft)).status).toBe(303);
	const refused = await send(changed(draft));
	expect(refused.status).toBe(404);
	expect(await refused.text()).toContain('This draft is gone');
});

describeWithBrowser('a service that is restarted while somebody points', () => {
	const browser = useChromium();

	test('the next click, a page that is loaded again, and saving go on', async () => {
		const { page } = await visitConsole(browser(), service);
		const { frame, said, pointAtList } = await openToPoint(page, `${site.baseUrl}/books`);
		await pointAtList('Emma', 'Evelina');
		await page.getByText('2 entries').waitFor();
		await restart();
		await frame.getByText('4 €').click();
		await page.getByLabel('Name of column 2').waitFor();
		await said('has opened it again');
		await restart();
		page.on('dialog', (dialog) => void dialog.accept());
		await page.reload();
		await page.getByText('2 entries').waitFor();
		await frame.getByText('Evelina').waitFor();
		await restart();
		await page.getByLabel('Name of column 2').fill('Cost');
		await page.getByLabel('Name of column 2').press('Tab');
		await page.getByRole('columnheader', { name: 'Cost' }).waitFor();
		await restart();
		await page.getByRole('button', { name: 'Save and run' }).click();
		await page.waitForURL('**/console/batches/*');
		await page.getByRole('cell', { name: '7 €' }).waitFor();
	});
});
