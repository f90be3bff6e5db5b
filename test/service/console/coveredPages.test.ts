import { testAtLength } from '../../support/length';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// What lies over a page, such as a banner with its backdrop, keeps nobody from pointing at it.

const list = `<ul>${['Emma', 'Evelina', 'Persuasion']
	.map(
		(name) =>
			`<li class="book"><h3><a href="/covered/${name}">${name}</a></h3><p>A novel.</p></li>`,
	)
	.join('')}</ul><p style="height: 2000px"></p><p>The end</p>`;

const backdrop = `<div style="position: fixed; inset: 0; background: rgb(0 0 0 / 50%); z-index: 9"></div>`;
const banner = (text: string) =>
	`<div style="position: fixed; bottom: 0; left: 0; right: 0; z-index: 10; background: white">${text} <button>Accept</button></div>`;

const pages: Record<string, string> = {
	covered: `<body style="overflow: hidden">${list}${backdrop}${banner('We use cookies.')}`,
	// It says more than the page.
	terms: `${list}<div role="dialog" style="position: fixed; inset: 0; background: white">${'All of our terms. '.repeat(20)}</div>`,
	shell: `<div style="position: fixed; inset: 0; overflow: auto">${list}</div>`,
	bar: `${list}${banner('We use cookies.')}`,
	inside: `<div style="position: fixed; inset: 0; overflow: auto">${list}${backdrop}</div>`,
	scripted: `${list}<script>document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(backdrop + banner('Made by a script.'))});
		document.querySelector('ul').inert = true;</script>`,
};

const { site, service } = useSiteAndService(({ url }) => {
	const [, name = ''] = url.pathname.split('/');
	return `<!doctype html><title>Books</title>${pages[name] ?? ''}`;
});

describeWithBrowser('a page that something lies over', () => {
	const browser = useChromium();

	async function open(name: string, { inBrowser = false, width = 1400 } = {}) {
		const visitor = await visitConsole(browser(), service, { width });
		const pointing = await openToPoint(visitor.page, `${site.baseUrl}/${name}`, { inBrowser });
		const { page, said } = pointing;
		return {
			...pointing,
			note: page.locator('#cover-note'),
			hide: page.getByRole('button', { name: 'Hide what covers the page' }),
			show: page.getByRole('button', { name: 'Show it' }),
			/** Points, with the mouse, at whatever is uppermost where the first thing with this text is. */
			clickAt: async (text: string) => {
				const box = await pointing.frame.getByText(text).first().boundingBox();
				if (!box) throw new Error(`There is no ${text}.`);
				await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
			},
			saidAgain: () => said('Point at something in one entry'),
		};
	}

	test.each([1400, 400])(
		'%i pixels wide: a backdrop and its banner are hidden, which is said, and shown again',
		async (width) => {
			const { page, frame, note, hide, show, clickAt, said } = await open('covered', {
				width,
			});
			await note.getByText('“We use cookies. Accept” is hidden here.').waitFor();
			await hide.waitFor({ state: 'hidden' });
			await clickAt('Emma');
			await said('the same thing in another entry');
			await clickAt('Evelina');
			await page.getByText('3 entries').first().waitFor();
			// It can be scrolled, too.
			await frame.getByText('The end').hover();
			await page.mouse.wheel(0, -9_000);
			await show.click();
			await frame.getByText('We use cookies.').waitFor();
			await note.getByText('Something lies over the page: Escape hides it.').waitFor();
			await hide.click();
			await frame.getByText('We use cookies.').waitFor({ state: 'hidden' });
			expect(await page.evaluate('document.activeElement.id')).toBe('pad');
			expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
				width,
			);
		},
	);

	testAtLength('so it is on the page of an entry', async () => {
		const { page, frame, note, pointAtList, pointAtLink } = await open('covered');
		await pointAtList('Emma', 'Evelina');
		await pointAtLink('Emma');
		await page.getByRole('heading', { name: 'Columns of the entry’s own page' }).waitFor();
		await page.locator('#pad[aria-busy="false"]').waitFor();
		await note.getByText('is hidden here.').waitFor();
		await frame.getByText('Persuasion').click();
		await page.getByLabel('Name of column 1').waitFor();
	});

	testAtLength('so it is in a browser, whose page was made so by a script', async () => {
		const { page, note, clickAt, said } = await open('scripted', { inBrowser: true });
		await note.getByText('“Made by a script. Accept” is hidden here.').waitFor();
		await clickAt('Emma');
		await said('the same thing in another entry');
		await clickAt('Evelina');
		await page.getByText('3 entries').first().waitFor();
	});

	testAtLength(
		'what says more than the page is hidden when somebody wants it, by Escape as well',
		async () => {
			const { page, frame, note, hide, show } = await open('terms');
			await note.getByText('Something lies over the page').waitFor();
			await hide.waitFor();
			await page.locator('#pad').focus();
			await page.keyboard.press('Escape');
			await frame.getByText('All of our terms.').waitFor({ state: 'hidden' });
			await note.getByText('“All of our terms. All of our terms. All …” is hidden here.').waitFor();
			await show.focus();
			await page.keyboard.press('Enter');
			await frame.getByText('All of our terms.').waitFor();
			await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('hide-covers');
		},
	);

	testAtLength(
		'what stays in a corner is offered to be hidden once it was pointed at, and is no entry then',
		async () => {
			const { frame, hide, said, clickAt, saidAgain } = await open('bar');
			expect(await hide.isVisible()).toBe(false);
			await clickAt('Accept');
			await said('the same thing in another entry');
			await hide.click();
			await saidAgain();
			await frame.getByText('Accept').waitFor({ state: 'hidden' });
		},
	);

	testAtLength(
		'a page that is all inside of something fixed stays, without what lies over it',
		async () => {
			const shell = await open('shell');
			await shell.clickAt('Emma');
			await shell.said('the same thing in another entry');
			expect(await shell.hide.isVisible()).toBe(false);
			expect(await shell.note.innerText()).toBe('');
			const inside = await open('inside');
			await inside.note.getByText('What lay over the page is hidden here.').waitFor();
			await inside.frame.getByText('Emma').click();
			await inside.said('the same thing in another entry');
		},
	);
});
