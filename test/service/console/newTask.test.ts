import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { testAtLength } from '../../support/length';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole, type View } from '../../support/service/console';
import { pointByRequests } from '../../support/service/pointByRequests';
import { openToPoint } from '../../support/service/pointing';
import { hostilePage } from './hostilePage';
import { expectUsable, views } from '../../support/service/usable';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

const books = ['Emma', 'Persuasion', 'Evelina', 'Cecilia'];

/** Two pages of a list of books, and a page for each. */
function pageAt({ pathname, searchParams }: URL): string | undefined {
	const number = Number(searchParams.get('page') ?? 1);
	if (pathname === '/books') {
		const entries = books.slice(number * 2 - 2, number * 2).map(
			(name, index) =>
				`<li class="book css-x${number}9z"><h3><a href="/book/${name}">${name}</a></h3>
				<p class="price">${number}${index} €</p></li>`,
		);
		const next = number === 1 ? '<a class="next" href="/books?page=2">Next</a>' : '';
		return `<title>Books</title><ul>${entries.join('')}</ul>${next}`;
	}
	if (pathname === '/bare') {
		// Nothing but its text tells "next" from "previous", and the first entry leads nowhere.
		const bar = [number > 1 && 'Previous', number < 3 && 'Next'].filter(Boolean);
		const links = bar.map(
			(text) => `<a href="/bare?page=${number + (text === 'Next' ? 1 : -1)}">${text}</a>`,
		);
		return `<ul><li><a href="/gone">a${number}</a></li><li><a href="/book/Emma">b${number}</a></li></ul><p>${links.join(' ')}</p>`;
	}
	const [, name] = /^\/book\/(\w+)$/.exec(pathname) ?? [];
	return (
		name && `<title>${name}</title><h1>${name}</h1><p class="pages">${name.length}00 pages</p>`
	);
}

/** The newest task file, as what stands in it. */
async function savedTask(name: string): Promise<{ taskID: string; steps: object[] }> {
	const text = await readFile(join(service.folder, 'tasks', name), 'utf8');
	return JSON.parse(text) as { taskID: string; steps: object[] };
}

const { site, service } = useSiteAndService(({ url }) =>
	url.pathname === '/hostile' ? hostilePage : (pageAt(url) ?? { status: 404 }),
);

describeWithBrowser('a new task by pointing', () => {
	const browser = useChromium();
	/** A person who has opened a page of the site to point at it. */
	async function openPage(path: string, view: View = {}) {
		const { page, complaints } = await visitConsole(browser(), service, view);
		return { ...(await openToPoint(page, site.baseUrl + path)), complaints };
	}

	test('list, columns, next and detail page, by mouse, to the rows of a batch', async () => {
		const { page, frame, pointAtList, pointAtNext, pointAtLink, complaints } =
			await openPage('/books');
		await pointAtList('Emma', 'Persuasion');
		await page.getByText('2 entries').waitFor();
		await frame.getByText('10 €').click();
		await page.getByLabel('Name of column 2').waitFor();
		expect(await page.getByLabel('Name of column 2').inputValue()).toBe('Price');
		await pointAtNext('Next');
		await page.getByRole('cell', { name: 'Cecilia' }).waitFor();
		await pointAtLink('Emma');
		await frame.getByText('400 pages').click();
		await page.getByRole('cell', { name: '400 pages' }).waitFor();
		await page.getByLabel('Name of column 1').fill('Length');
		await page.getByLabel('Name of column 1').press('Tab');
		await page.getByRole('columnheader', { name: 'Length' }).waitFor();
		await page.getByLabel('Name of the task').fill('My books');
		await page.getByRole('button', { name: 'Save and run' }).click();
		await page.waitForURL('**/console/batches/*');
		await page.getByText('Successful', { exact: true }).waitFor();

		const { taskID } = await savedTask('my-books.json');
		await page.getByText('Task ID for n8n').waitFor();
		const copy = page.getByRole('button', { name: 'Copy the task ID for n8n' });
		expect(await copy.getAttribute('data-copy')).toBe(taskID);
		await page.getByText('Use it in n8n').click();
		const baseUrl = page.getByRole('button', { name: 'Copy the base URL' });
		expect(await baseUrl.getAttribute('data-copy')).toBe(service.baseUrl);
		expect(await page.getByRole('group', { name: 'Copy for n8n' }).count()).toBe(1);
		await expectUsable({ page });
		const client = cloudClient(service);
		const { list } = await client.batches(taskID);
		expect(list).toHaveLength(1);
		const rows = list[0] ? await client.rowsOf(list[0]) : [];
		expect(rows.map(({ Price, Length }) => [Price, Length])).toEqual([
			['10 €', '400 pages'],
			['11 €', '1000 pages'],
			['20 €', '700 pages'],
			['21 €', '700 pages'],
		]);
		expect(JSON.stringify(await savedTask('my-books.json'))).not.toContain('css-');
		expect(complaints).toEqual([]);
	});

	testAtLength('its buttons work before its scripts have come, and without them', async () => {
		const { taskID } = await savedTask('my-books.json');
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/tasks/${taskID}`);
		await page.route('**/*.js', (route) => route.abort());
		await page.getByRole('button', { name: 'Change by pointing' }).click();
		await page.getByRole('button', { name: 'Remove the column Price' }).click();
		await page.getByLabel('Name of column 2').waitFor({ state: 'detached' });
		await page.getByLabel('Name of column 1').fill('Title');
		await page.getByLabel('Name of column 1').press('Enter');
		await page.getByLabel('What to read for Title').waitFor();
	});

	testAtLength('what was saved is opened again to change it, and keeps its ids', async () => {
		const before = await savedTask('my-books.json');
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/tasks/${before.taskID}`);
		await page.getByRole('button', { name: 'Change by pointing' }).click();
		await page.getByText('2 entries').waitFor();
		await page.getByText('Next page:').waitFor();
		await page.getByRole('button', { name: 'Remove the column Price' }).click();
		await page.getByLabel('Name of column 2').waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The task is saved').waitFor();
		const after = await savedTask('my-books.json');
		expect(after.taskID).toBe(before.taskID);
		const ids = (task: object) => JSON.stringify(task).match(/"id":"[^"]+"/g) ?? [];
		expect(ids(before)).toEqual(expect.arrayContaining(ids(after)));
		expect(ids(after)).toHaveLength(ids(before).length - 1);
		expect(await readdir(join(service.folder, 'tasks'))).toContain('my-books.json');
	});

	test('by keyboard alone, with what is marked in words', async () => {
		const { page, said, complaints } = await openPage('/books');
		await page.locator('#pad').focus();
		const walk = async (key: string, text: string) => {
			await page.keyboard.press(key);
			await said(text);
		};
		await walk('ArrowDown', 'List: Emma');
		await walk('ArrowRight', 'List item: Emma');
		await walk('ArrowRight', 'Heading: Emma');
		await page.keyboard.press('Enter');
		await said('the same thing in another entry');
		await walk('ArrowLeft', 'List item: Emma');
		await walk('ArrowDown', 'List item: Persuasion');
		await walk('ArrowRight', 'Heading: Persuasion');
		await page.keyboard.press('Enter');
		await page.getByText('2 entries').waitFor();
		await walk('ArrowDown', 'Paragraph: 11 €');
		await page.keyboard.press('Enter');
		await page.getByLabel('Name of column 2').waitFor();
		await page.getByRole('cell', { name: '11 €' }).waitFor();
		await page.getByLabel('Name of the task').focus();
		await page.keyboard.type(' by keyboard');
		await page.getByRole('button', { name: 'Save and run' }).press('Enter');
		await page.waitForURL('**/console/batches/*');
		await page.getByText('Successful', { exact: true }).waitFor();
		expect(complaints).toEqual([]);
	});

	// Short, `scriptedPages` has a page that is opened in a browser, pointed at and run.
	testAtLength(
		'a page that a script makes is opened in a browser, and pointed at as its script has made it',
		async () => {
			const visitor = await visitConsole(browser(), service);
			const { page, frame, said } = await openToPoint(visitor.page, '{site}/shop/catalogue', {
				inBrowser: true,
			});
			await frame.getByText('Oak Chair', { exact: true }).click();
			await said('the same thing in another entry');
			await frame.getByText('Oak Table', { exact: true }).click();
			await page.getByText('entries', { exact: false }).first().waitFor();
			await page.getByRole('cell', { name: 'Oak Shelf' }).waitFor();
			await page.getByLabel('Name of the task').fill('Made by a script');
			await page.getByRole('button', { name: 'Save and run' }).click();
			await page.getByText('Successful', { exact: true }).waitFor();
			await page.getByRole('cell', { name: 'Oak Shelf', exact: true }).first().waitFor();
		},
	);

	test.each(views(1))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, pointAtList, complaints } = await openPage('/books', { colorScheme, width });
			await pointAtList('Emma', 'Persuasion');
			await page.getByRole('cell', { name: 'Emma' }).waitFor();
			await expectUsable({ page, complaints });
			await page.goto('/console/new');
			await expectUsable({ page, complaints });
		},
	);

	testAtLength('nothing that the framed page contains reaches the console', async () => {
		const before = site.requests.length;
		const { page, frame, said } = await openPage('/hostile');
		const dialogs: string[] = [];
		page.on('dialog', (dialog) => {
			// The console's own question, when this page is left.
			if (dialog.type() === 'beforeunload') return void dialog.accept();
			dialogs.push(dialog.message());
			void dialog.dismiss();
		});
		const address = page.url();
		for (const text of ['script link', 'top link', 'Send', 'Button', 'more']) {
			await frame.getByText(text, { exact: true }).click({ force: true });
			await frame.getByText(text, { exact: true }).click({ force: true, button: 'middle' });
		}
		await frame.getByText('one').hover({ force: true });
		await page.waitForTimeout(500);
		expect(page.url()).toBe(address);
		expect(page.context().pages()).toHaveLength(1);
		expect(dialogs).toEqual([]);
		expect(await page.evaluate('window.reached')).toBeUndefined();
		expect(page.frames()[1]?.url()).toMatch(/\/frame\/list$/);
		const asked = site.requests.slice(before).map(({ url }) => url.pathname);
		expect(asked.filter((path) => path.startsWith('/evil') && !path.endsWith('.png'))).toEqual([]);
		const markup = await frame.locator('html').innerHTML();
		expect(markup).not.toMatch(/onerror|srcdoc|http-equiv|javascript:|target=/i);
		// The console works on, and nobody was signed out.
		await page.getByRole('button', { name: 'Start over: entries' }).click();
		await said('Point at something in one entry');
		await frame.getByText('one', { exact: true }).click({ force: true });
		await frame.getByText('two', { exact: true }).click({ force: true });
		await page.getByText('2 entries').waitFor();
		await page.goto('/console/');
		await page.getByRole('heading', { name: 'Tasks' }).waitFor();
	});
});

describe('a new task by requests', () => {
	test('the demo shop is offered by its whole address, which can be opened', async () => {
		const visit = await consoleClient(service);
		const text = await (await visit('/console/new')).text();
		const [, path = '', shown = ''] = /href="([^"]*[?]url=[^"]*)"><code>([^<]*)</.exec(text) ?? [];
		expect(shown).toBe(`${service.baseUrl}/shop/products`);
		expect(await (await visit(path)).text()).toContain(`value="${shown}"`);
		const { panel } = await pointByRequests(service, '/console/new', { url: shown });
		expect(panel()).toContain('Point at something in one entry');
	});

	const beginAt = (path: string) =>
		pointByRequests(service, '/console/new', { url: site.baseUrl + path });

	test('"next" is found on the pages behind it, too, and the link is followed that was pointed at', async () => {
		const { pointAt, press, firstCells, frame, saveAndRun } = await beginAt('/bare');
		await pointAt('a1');
		expect(await pointAt('b1')).toContain('2 entries');
		await press('Point at “next”');
		expect(await pointAt('Next')).toContain('Next page:');
		expect(await firstCells()).toContain('a3');
		await press('Follow a link of each entry');
		await pointAt('b1');
		expect(await frame()).toContain('400 pages');
		await press('Back to the list');
		const rows = await saveAndRun();
		expect(rows.flat()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
	});

	test('of two things that are not alike the first is meant, until one begins with the other', async () => {
		const { pointAt, press, panel } = await beginAt('/books');
		expect(await pointAt('11 €')).toContain('the same thing in another entry');
		const said =
			'“Emma” is not like “11 €”. Point at another one like “11 €”, or begin with “Emma”.';
		expect(await pointAt('Emma')).toContain(said);
		expect(panel()).toContain(`data-say="${said}"`);
		expect(await press('Undo')).toMatch(/“11 €” Now point at/);
		await press('Redo');
		expect(await pointAt('Persuasion')).toContain('“Persuasion” is not like “11 €”.');
		expect(await pointAt('10 €')).toContain('2 entries');
		await press('Undo');
		expect(await press('Begin with “Persuasion”')).toMatch(/“Persuasion” Now point at/);
		expect(await pointAt('Emma')).toContain('2 entries');
	});

	test('a file that has changed since it was opened is not overwritten', async () => {
		const { pointAt, saveAndRun } = await beginAt('/books');
		await pointAt('Emma');
		await pointAt('Persuasion');
		await saveAndRun();
		const { taskID } = await savedTask('books.json');
		const changing = await pointByRequests(service, `/console/tasks/${taskID}/point`);
		expect(changing.panel()).toContain('2 entries');
		const path = join(service.folder, 'tasks', 'books.json');
		const changed = (await readFile(path, 'utf8')).replace('"Books"', '"Changed elsewhere"');
		await writeFile(path, changed);
		expect(await changing.read(await changing.save())).toMatch(/role="alert"[^]*Nothing was saved/);
		expect(await readFile(path, 'utf8')).toBe(changed);
	});

	test.each([
		['ftp://host/', 'is not an http or https URL, such as https://example'],
		['not an address', '&quot;not an address&quot; is not an http or https URL'],
		['/nothing', 'could not be opened: HTTP 404, the page does not exist'],
	])('the address %s is refused, and stands in the form still', async (path, reason) => {
		const url = path.startsWith('/') ? site.baseUrl + path : path;
		const visit = await consoleClient(service);
		const body = new URLSearchParams({ url });
		const answer = await visit('/console/new', { method: 'POST', body });
		expect(answer.status).toBe(400);
		const said = await answer.text();
		expect(said).toMatch(new RegExp(`role="alert">[^<]*${reason}`));
		expect(said).toContain(`name="url" value="${url}"`);
	});
});
