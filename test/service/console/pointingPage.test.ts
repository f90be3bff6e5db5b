import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { visitConsole, type View } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';

// The page on which people point, apart from what comes of it: what it says, and how it is left.

const list = `<title>Books</title><ul>
	<li class="book"><h3><a href="/emma">Emma</a></h3></li>
	<li class="book"><h3><a href="/evelina">Evelina</a></h3></li></ul>`;

/** Nothing but its looks keeps some of its texts apart. */
const menu = `<title>Menu</title><style>nav a { display: inline-block; margin-right: 9px } ul { display: flex; gap: 30px }</style>
	<nav><a href="/1">Home</a><a href="/2">Deals</a><a href="/3">Help</a></nav>
	<ul><li><b>One</b></li><li>Two<i style="display: none">unseen</i></li></ul>
	<p>wo<b>rd</b>,<br>line</p><p><img alt="A lamp" src="/lamp.png" width="9" height="9"></p>`;

/** Pictures that a script loads late, and what keeps their addresses; entries differ in them. */
const pictures = ['Lamp', 'Teapot', 'Chair'].map((name) => {
	const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
	const size = 'width="30" height="30"';
	return `<li class="entry"><h3>${name}</h3>
		<img class="a" ${size} src="${blank}" data-src="/${name}-a.png">
		<img class="b" ${size} data-original="${name}-b.png">
		<img class="c" ${size} src="/blank.png" data-lazy-src="//other.test/${name}-c.png">
		<img class="d" ${size} src="${blank}" data-srcset="/${name}-d.png, /${name}-d2.png 2x">
		<img class="e" ${size} src="/${name}-e.png" srcset="/${name}-e2.png 2x">
		<img class="f" ${size} src="/${name}-f.png" ${name === 'Lamp' ? 'data-src="/odd.png"' : ''}></li>`;
});

let site: Site;
let service: RunningService;

describeWithBrowser('the page to point at', () => {
	const browser = useChromium();
	beforeAll(async () => {
		site = await startSite(({ url }) => {
			if (url.pathname.endsWith('.png')) return { status: 404 };
			if (url.pathname === '/pictures') return `<title>Late</title><ul>${pictures.join('')}</ul>`;
			return url.pathname === '/menu' ? menu : list;
		});
		service = await startService({ tasks: {} });
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	/** Somebody who points at the site, and what the browser has asked them, which is answered with no. */
	async function begin(view: View = {}) {
		const visitor = await visitConsole(browser(), service, view);
		const asked: string[] = [];
		visitor.page.on('dialog', (dialog) => {
			asked.push(dialog.type());
			void dialog.dismiss();
		});
		return { ...(await openToPoint(visitor.page, site.baseUrl)), asked };
	}

	test('by keyboard, what stands apart on the page is apart in words', async () => {
		const { page } = await visitConsole(browser(), service);
		const { said } = await openToPoint(page, `${site.baseUrl}/menu`);
		await page.locator('#pad').focus();
		for (const words of ['Part: Home Deals Help', 'List: One Two', 'Paragraph: word, line']) {
			await page.keyboard.press('ArrowDown');
			await said(words);
			expect(await page.locator('#pointed').innerText()).toBe(words);
		}
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowRight');
		await said('Picture: A lamp');
	});

	test('of a picture that is loaded late, the address is read that is meant', async () => {
		const { page } = await visitConsole(browser(), service);
		const { frame, pointAtList } = await openToPoint(page, `${site.baseUrl}/pictures`);
		await pointAtList('Lamp', 'Teapot');
		await page.getByText('3 entries').waitFor();
		for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
			await frame.locator(`.entry .${name}`).first().click();
			await page.getByLabel(`Name of column ${index + 2}`).waitFor();
		}
		await page.getByRole('button', { name: 'Save and run' }).click();
		await page.waitForURL('**/console/batches/*');
		await page.getByText('Successful', { exact: true }).waitFor();
		const { list: rows } = await cloudClient(service).data(
			new URL(page.url()).pathname.split('/').at(-1) ?? '',
		);
		expect(
			rows.map((row) => Object.values(JSON.parse(row) as Record<string, string>).slice(1)),
		).toEqual(
			['Lamp', 'Teapot', 'Chair'].map((name) => [
				`${site.baseUrl}/${name}-a.png`,
				`${site.baseUrl}/${name}-b.png`,
				`http://other.test/${name}-c.png`,
				`${site.baseUrl}/${name}-d.png`,
				`${site.baseUrl}/${name}-e.png`,
				`${site.baseUrl}/${name}-f.png`,
			]),
		);
		await page.goto('/console/');
		await page.getByRole('link', { name: 'Late', exact: true }).click();
		await page.getByRole('button', { name: 'Change by pointing' }).click();
		await page.getByText('3 entries').waitFor();
		expect(await page.getByLabel('What to read for').last().inputValue()).toBe('src');
	});

	test('is left unasked while nothing was pointed at, or when it is saved', async () => {
		const { page, pointAtList, asked } = await begin();
		await page.getByRole('link', { name: 'Keys' }).click();
		await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
		await page.goBack();
		await pointAtList('Emma', 'Evelina');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The file is saved.').waitFor();
		expect(asked).toEqual([]);
	});

	test('asks before what was pointed at and not saved is left', async () => {
		const { page, pointAtList, asked } = await begin();
		const address = page.url();
		await pointAtList('Emma', 'Evelina');
		await page.getByText('2 entries').waitFor();
		await page.getByRole('link', { name: 'Keys' }).click();
		while (asked.length === 0) await page.waitForTimeout(20);
		expect(asked).toEqual(['beforeunload']);
		expect(page.url()).toBe(address);
		await page.getByText('2 entries').waitFor();
	});

	test.each(['http', 'browser'])(
		'an address that cannot be opened (%s) is told in plain words, with what to do next',
		async (kind) => {
			const { page } = await visitConsole(browser(), service);
			const { host, hostname } = new URL(site.baseUrl);
			const wordsFor = async (typed: string) => {
				await page.goto('/console/new');
				if (kind === 'browser') await page.getByLabel('in a browser').check();
				await page.getByLabel('Address of the page').fill(typed);
				await page.getByRole('button', { name: 'Open' }).click();
				return page.locator('.bad[role=alert]').innerText();
			};
			expect(await wordsFor(`https://${host}/list`)).toBe(
				`${host} does not answer over https. Try http://${host}/list`,
			);
			expect(await wordsFor(`${hostname}:9`)).toMatch(
				/^(No pages are asked for|Nothing answers) at /,
			);
			expect(await wordsFor(`${hostname}:1234`)).toMatch(
				/^Nothing answers at 127.0.0.1:1234\. Look/,
			);
			expect(await wordsFor('nobody.invalid')).toMatch(
				/^There is no site called “nobody.invalid” that can be found from here\. Look/,
			);
			if (kind === 'browser') return;
			expect(await wordsFor(`http://me:secret@${host}/`)).toMatch(/choose “in a browser”\.$/);
		},
	);

	test('an address without its beginning is opened as it is meant', async () => {
		const { page } = await visitConsole(browser(), service);
		await openToPoint(page, `${new URL(site.baseUrl).host}/list`);
		await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
	});

	test('says that the service is gone, also of what is pointed at then', async () => {
		const { page, frame } = await begin();
		const { port } = new URL(service.baseUrl);
		const notice = page.locator('#connection');
		await service.end();
		await notice.getByText('The service does not answer').waitFor();
		await frame.getByText('Emma').click();
		await page.getByRole('button', { name: 'The page is one entry' }).click();
		await notice.getByText('nothing was done').waitFor();
		service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
		await notice.waitFor({ state: 'hidden' });
	});
});
