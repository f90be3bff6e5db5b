import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';

const book = (name: string) =>
	`<div class="book"><a class="name" href="/${name}">${name}</a> <i>a novel</i> <i>${name.length}00 pages</i></div>`;

/** Books, between two of which there is an advertisement that looks like one. */
const books = `<title>Books</title><main>${book('Emma')}<div class="book"><b>Buy now</b></div>${book('Evelina')}</main>`;

describeWithBrowser('columns that are pointed at', () => {
	const browser = useChromium();
	let site: Site;
	let service: RunningService;

	beforeAll(async () => {
		site = await startSite(() => books);
		service = await startService({ tasks: {} });
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	async function openBooks() {
		const { page } = await visitConsole(browser(), service);
		const opened = await openToPoint(page, site.baseUrl);
		await opened.pointAtList('Emma', 'Evelina');
		await page.getByText('3 entries').waitFor();
		return opened;
	}

	test('entries that lack one are left out by a button that says how many', async () => {
		const { page } = await openBooks();
		await page.getByText('in 2 of 3').waitFor();
		await page.getByRole('button', { name: 'Leave out the 1 entry without Name' }).click();
		await page.getByText('2 entries').waitFor();
		await page.getByText('in 2 of 2').waitFor();
		await page.getByRole('cell', { name: 'Evelina' }).waitFor();
		expect(await page.getByRole('cell').allTextContents()).toEqual(['Emma', 'Evelina']);
	});

	test('a link that is pointed at twice gives its text and where it leads', async () => {
		const { page, frame } = await openBooks();
		await frame.getByText('Emma', { exact: true }).click();
		await page.getByLabel('Name of column 2').waitFor();
		await page.getByRole('cell', { name: `${site.baseUrl}/Evelina` }).waitFor();
	});

	test('what is told apart by nothing but its place is said, and refused a second time', async () => {
		const { page, frame } = await openBooks();
		await frame.getByText('400 pages').click();
		await page.getByText('by its place: look at the rows').waitFor();
		await frame.getByText('700 pages').click();
		await page.getByRole('alert').getByText('reads this already').waitFor();
	});
});
