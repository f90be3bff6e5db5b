import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { testAtLength } from '../../support/length';
import { visitConsole } from '../../support/service/console';
import { pointByRequests } from '../../support/service/pointByRequests';
import { openToPoint } from '../../support/service/pointing';
import { startService } from '../../support/inProcess/startService';
import { startService as startProcess } from '../../support/service/startService';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { expectUsable, views } from '../../support/service/usable';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// Pages that their scripts make, opened as they come: that is noticed, and a browser is offered.

const script = `<script>for (const name of ['Emma', 'Evelina']) document.querySelector('ul').insertAdjacentHTML('beforeend', '<li class="book"><h3>' + name + '</h3></li>')</script>`;
const text = '<p>Words that people read here.</p>'.repeat(20);

const pages: Record<string, string> = {
	made: `<title>Books</title><ul></ul>${script}`,
	said: `<title>Books</title>${text}<ul></ul><noscript><p>Please enable <b>JavaScript</b>.</p></noscript>${script}`,
	whole: `<title>Books</title>${text}<ul></ul><noscript><img src="/javascript.png"></noscript>${script}`,
	data: `<title>Books</title>${text}<script type="application/ld+json">{"@type": "Book"}</script>`,
	listed: `<title>Books</title>${text}<ul><li>Clarissa</li><li>Pamela</li></ul>${script}`,
	still: '<title>Books</title><ul><li>Emma</li><li>Evelina</li></ul>',
};

const notice = 'JavaScript makes this page';

const { site, service } = useSiteAndService(
	({ url }) => pages[url.pathname.slice(1)] ?? { status: 404 },
);

const beginAt = (path: string) =>
	pointByRequests(service, '/console/new', { url: `${site.baseUrl}/${path}` });
const [made, maybe] = [notice, 'This page has scripts'];

test.each([
	['with hardly any text', 'made', [made]],
	['that says so', 'said', [made]],
	['with text, and scripts besides', 'whole', [maybe]],
	['with text, and data in a script', 'data', []],
	['without scripts', 'still', []],
])('a page %s', async (_, path, expected) => {
	const { panel } = await beginAt(path);
	expect([made, maybe].filter((each) => panel().includes(each))).toEqual(expected);
});

test('a browser is offered until something is found, also where two things are not alike', async () => {
	const { pointAt, press } = await beginAt('listed');
	expect(await pointAt('Clarissa')).toContain(maybe);
	const unlike = await pointAt('Words that people read here.');
	expect(unlike).toContain('is not like');
	expect(unlike).toContain(maybe);
	await pointAt('Clarissa');
	expect(await pointAt('Pamela')).not.toContain(maybe);
	expect(await press('Start over: entries')).toContain(maybe);
	await press('Whole page as one row');
	expect(await pointAt('Clarissa')).not.toContain(maybe);
});

test('a task whose list has one entry by now is offered one as well', async () => {
	const steps = [
		step('navigate', { url: `${site.baseUrl}/listed` }),
		extract({ Name: {} }, 'li:first-child'),
	];
	const own = await startService({ tasks: { one: task('one', steps) } });
	const { panel } = await pointByRequests(own, `/console/tasks/${uuidOf('one')}/point`);
	expect(panel()).toContain('1 entry');
	expect(panel()).toContain(maybe);
	await own.stop();
});

test('without a browser, it is said what to do', async () => {
	const own = await startProcess({ tasks: {}, env: { PATH: '/nowhere' } });
	const { panel } = await pointByRequests(own, '/console/new', { url: `${site.baseUrl}/made` });
	expect(panel()).toContain('No Chromium or Chrome was found. Install one');
	expect(panel()).not.toContain('Open this page in a browser');
	await own.stop();
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test('one click opens the same page in a browser, from where a task is pointed together', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		const { frame, pointAtList } = await openToPoint(page, `${site.baseUrl}/made`);
		await page.getByText(notice).waitFor();
		await page.getByRole('button', { name: 'Open this page in a browser' }).click();
		await frame.getByText('Evelina').waitFor();
		await page.locator('#pad[aria-busy="false"]').waitFor();
		expect(await page.getByText(notice).count()).toBe(0);
		await pointAtList('Emma', 'Evelina');
		await page.getByRole('cell', { name: 'Evelina' }).waitFor();
		await page.getByRole('button', { name: 'Save and run' }).click();
		await page.getByText('Successful', { exact: true }).waitFor();
		await page.getByRole('cell', { name: 'Evelina' }).waitFor();
		expect(complaints).toEqual([]);
	});

	testAtLength(
		'so does one beside what to do, where the page has text and lacks its list alone',
		async () => {
			const { page, complaints } = await visitConsole(browser(), service);
			const { frame, pointAtList } = await openToPoint(page, `${site.baseUrl}/whole`);
			await page.getByRole('button', { name: 'Open this page in a browser' }).click();
			await frame.getByText('Evelina').waitFor();
			await page.locator('#pad[aria-busy="false"]').waitFor();
			await pointAtList('Emma', 'Evelina');
			await page.getByRole('cell', { name: 'Evelina' }).waitFor();
			expect(await page.getByText(maybe).count()).toBe(0);
			expect(complaints).toEqual([]);
		},
	);

	testAtLength('that is undone like all else', async () => {
		const { page } = await visitConsole(browser(), service);
		const { frame } = await openToPoint(page, `${site.baseUrl}/made`);
		await page.getByRole('button', { name: 'Open this page in a browser' }).click();
		await frame.getByText('Evelina').waitFor();
		await page.getByRole('button', { name: 'Undo' }).click();
		await page.getByText(notice).waitFor();
		await frame.getByText('Evelina').waitFor({ state: 'detached' });
	});

	test.each(views(0))(
		'%s, %i pixels wide: the notice, and the offer',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await openToPoint(page, `${site.baseUrl}/made`);
			await page.getByText(notice).waitFor();
			await expectUsable({ page, complaints });
			await openToPoint(page, `${site.baseUrl}/whole`);
			await page.getByText(maybe).waitFor();
			await expectUsable({ page, complaints });
		},
	);
});
