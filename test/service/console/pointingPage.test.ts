import type { Locator } from 'playwright-core';
import { describeOnBothPagesAtLength, describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { consoleClient, visitConsole } from '../../support/service/console';
import { sample, testAtLength } from '../../support/length';
import { plainText } from '../../support/service/plainText';
import { pointByRequests } from '../../support/service/pointByRequests';
import { openToPoint } from '../../support/service/pointing';
import { startService } from '../../support/inProcess/startService';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// The page on which people point, apart from what comes of it: what it says, and how it is left.

const list = `<title>Books</title><ul>
	<li class="book"><h3><a href="/emma">Emma</a></h3></li>
	<li class="book"><h3><a href="/evelina">Evelina</a></h3></li></ul>`;

/** Nothing but its looks keeps some of its texts apart. */
const menu = `<title>Menu</title><style>nav a { display: inline-block; margin-right: 9px } ul { display: flex; gap: 30px }</style>
	<nav><a href="/1">Home</a><a href="/2">Deals</a><a href="/3">Help</a></nav>
	<ul><li><b>One</b></li><li>Two<i style="display: none">unseen</i></li></ul>
	<p>wo<b>rd</b>,<br>line</p><p><img alt="A lamp" src="/lamp.png" width="9" height="9"></p>`;

/** In a narrow window there is no "next". */
const narrow = '@media (max-width: 600px) { body > a { display: none } }';

const { site, service } = useSiteAndService(({ url }) => {
	if (url.pathname.endsWith('.png')) return { status: 404 };
	if (url.pathname === '/narrow') return `<style>${narrow}</style>${list}<a href="?p=2">Next</a>`;
	return url.pathname === '/menu' ? menu : list;
});

/** Whether nothing of it is scrolled out of the window. */
async function isWhollySeen(element: Locator): Promise<boolean> {
	const box = await element.boundingBox();
	const window = element.page().viewportSize();
	return box !== null && window !== null && box.y >= 0 && box.y + box.height <= window.height;
}

describeWithBrowser('the page to point at', () => {
	const browser = useChromium();
	/** Somebody who points at the site, and what the browser has asked them, which is answered with no. */
	async function begin() {
		const visitor = await visitConsole(browser(), service);
		const asked: string[] = [];
		visitor.page.on('dialog', (dialog) => {
			asked.push(dialog.type());
			void dialog.dismiss();
		});
		return { ...(await openToPoint(visitor.page, site.baseUrl)), asked };
	}

	testAtLength('by keyboard, what stands apart on the page is apart in words', async () => {
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

	testAtLength('by keyboard, what was added is named in words', async () => {
		const { page } = await visitConsole(browser(), service);
		const { said, pointAtList } = await openToPoint(page, site.baseUrl);
		await pointAtList('Emma', 'Evelina');
		await said('New column: “Name”. Point at anything else');
		await page.locator('#pad').focus();
		for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
		const name = await page.getByLabel('Name of column 2').inputValue();
		await said(`New column: “${name}”. Point at anything else`);
	});

	test('by keyboard, what was done is undone and redone', async () => {
		const { page, pointAtList } = await begin();
		await pointAtList('Emma', 'Evelina');
		await page.getByText('2 entries').first().waitFor();
		await page.locator('#pad').focus();
		await page.keyboard.press('Control+z');
		await page.getByText('2 entries').first().waitFor({ state: 'detached' });
		await page.keyboard.press('Control+Shift+Z');
		await page.getByText('2 entries').first().waitFor();
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByRole('button', { name: 'Copy the task ID for n8n' }).waitFor();
	});

	testAtLength(
		'in a narrow window, the page to point at comes into sight when it is what is next',
		async () => {
			const { page } = await visitConsole(browser(), service, { width: 400 });
			const { pointAtList, frame } = await openToPoint(page, site.baseUrl);
			await pointAtList('Emma', 'Evelina');
			for (const [button, said] of [
				['Point at “next”', 'leads to the next page'],
				['Follow a link of each entry', 'leads to its own page'],
			] as const) {
				await page.getByRole('button', { name: 'Save', exact: true }).scrollIntoViewIfNeeded();
				await page.getByRole('button', { name: button }).click();
				const instruction = page.locator('#pointed').getByText(said);
				await instruction.waitFor();
				await expect.poll(() => isWhollySeen(page.locator('#pad'))).toBe(true);
				expect(await isWhollySeen(instruction)).toBe(true);
				expect(await page.getByText(said).filter({ visible: true }).count()).toBe(1);
				expect(await page.evaluate('document.activeElement.id')).toBe('pad');
			}
			// So is another page in the frame, from the button that shows it.
			await frame.getByText('Emma').click();
			await page.getByRole('button', { name: 'Back to the list' }).click();
			await page.getByRole('button', { name: 'Show that page' }).click();
			await expect.poll(() => isWhollySeen(page.locator('#pad'))).toBe(true);
		},
	);

	testAtLength(
		'what leads on is told to be hidden only while it is, which its width decides',
		async () => {
			const { page } = await visitConsole(browser(), service, { width: 400 });
			const { pointAtList } = await openToPoint(page, `${site.baseUrl}/narrow`);
			await pointAtList('Emma', 'Evelina');
			const said = page.getByText('seems to lead to the next page.');
			await said.waitFor();
			const note = page.getByText('It is hidden in the frame.');
			await note.waitFor();
			await page.getByLabel('As wide as on a desktop').check();
			await note.waitFor({ state: 'hidden' });
			expect(await said.isVisible()).toBe(true);
		},
	);

	testAtLength('by keyboard, a column is moved on and on, and back from the end', async () => {
		const { page } = await visitConsole(browser(), service);
		const { frame, said } = await openToPoint(page, `${site.baseUrl}/menu`);
		await page.getByRole('button', { name: 'Whole page as one row' }).click();
		const names = ['One', 'Two', 'Three'];
		for (const [index, text] of ['Home', 'Deals', 'Help'].entries()) {
			await frame.getByText(text).click();
			await said('New column: “');
			const name = page.getByLabel(`Name of column ${index + 1}`);
			await name.fill(names[index] ?? '');
			await name.press('Tab');
			await page.getByRole('button', { name: `Remove the column ${names[index]}` }).waitFor();
		}
		await page.getByRole('button', { name: 'Move the column One down' }).focus();
		const columns = page.getByLabel(/^Name of column/);
		const order = async () =>
			Promise.all((await columns.all()).map((column) => column.inputValue()));
		for (const [expected, focused] of [
			['Two One Three', 'Move the column One down'],
			['Two Three One', 'Move the column One up'],
			['Two One Three', 'Move the column One up'],
		]) {
			await page.keyboard.press('Enter');
			await expect.poll(async () => (await order()).join(' ')).toBe(expected);
			await expect
				.poll(() => page.evaluate<string | null>('document.activeElement.ariaLabel'))
				.toBe(focused);
		}
	});

	const widths: [number, boolean][] = [
		[1400, true],
		[400, false],
	];
	test.each(sample(widths))(
		'%i pixels wide: the frame is as wide as on a desktop, or as here',
		async (width, isWide) => {
			const { page } = await visitConsole(browser(), service, { width });
			const { pointAtList } = await openToPoint(page, site.baseUrl);
			const choice = page.getByLabel('As wide as on a desktop');
			const widthInFrame = () => page.frames()[1]?.evaluate<number>('innerWidth');
			for (const each of [isWide, !isWide]) {
				expect(await choice.isChecked()).toBe(each);
				if (each) await expect.poll(widthInFrame).toBe(1280);
				else await expect.poll(widthInFrame).toBeLessThan(width);
				await choice.click();
			}
			await choice.click();
			await pointAtList('Emma', 'Evelina');
			await page.getByText('2 entries').first().waitFor();
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
				width,
			);
		},
	);

	testAtLength('is left unasked while nothing was pointed at, or when it is saved', async () => {
		const { page, pointAtList, asked } = await begin();
		await page.getByRole('link', { name: 'Keys' }).click();
		await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
		await page.goBack();
		await pointAtList('Emma', 'Evelina');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The task is saved.').waitFor();
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

	testAtLength('says that the service is gone, also of what is pointed at then', async () => {
		const { page, frame } = await begin();
		const { port } = new URL(service.baseUrl);
		const notice = page.locator('#connection');
		await service.end();
		await notice.getByText('The service does not answer').waitFor();
		await frame.getByText('Emma').click();
		await page.getByRole('button', { name: 'Whole page as one row' }).click();
		await notice.getByText('nothing was done').waitFor();
		Object.assign(
			service,
			await startService({ folder: service.folder, env: { SERVICE_PORT: port } }),
		);
		await notice.waitFor({ state: 'hidden' });
	});
});

describeOnBothPagesAtLength(
	'an address that cannot be opened is told in plain words, on pages:',
	(kind) => {
		/** What is said of an address. */
		async function wordsFor(url: string): Promise<string> {
			const visit = await consoleClient(service);
			const body = new URLSearchParams({ url, page: kind });
			const said = await (await visit('/console/new', { method: 'POST', body })).text();
			return plainText(/<p class="notice bad" role="alert">([^]*?)<\/p>/.exec(said)?.[1] ?? '');
		}

		test('with what to do next', async () => {
			const { host, hostname } = new URL(site.baseUrl);
			expect(await wordsFor(`https://${host}/list`)).toBe(
				`${host} does not answer over https. Try http://${host}/list`,
			);
			expect(await wordsFor(`${hostname}:9`)).toMatch(/^(No page is opened|Nothing answers) at /);
			expect(await wordsFor(`${hostname}:1234`)).toMatch(
				/^Nothing answers at 127.0.0.1:1234\. Check/,
			);
			expect(await wordsFor('nobody.invalid')).toMatch(
				/^The site “nobody.invalid” was not found\. Check/,
			);
			if (kind === 'browser') return;
			expect(await wordsFor(`http://me:secret@${host}/`)).toMatch(/Choose “in a browser”\.$/);
		});
	},
);

test('an address without its beginning is opened as it is meant', async () => {
	const { panel } = await pointByRequests(service, '/console/new', {
		url: `${new URL(site.baseUrl).host}/list`,
	});
	expect(panel()).toMatch(/<h1[^>]*>\s*Books/);
});
