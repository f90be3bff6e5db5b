import { pointByRequests } from '../../support/service/pointByRequests';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';

const book = (name: string) =>
	`<div class="book"><a class="name" href="/${name}">${name}</a> <i>a novel</i> <i>${name.length}00 pages</i></div>`;

/** Books, between two of which there is an advertisement that looks like one. */
const books = `<title>Books</title><main>${book('Emma')}<div class="book"><b>Buy now</b></div>${book('Evelina')}</main>`;

describe('columns that are pointed at', () => {
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
		const opened = await pointByRequests(service, '/console/new', { url: site.baseUrl });
		await opened.pointAt('Emma');
		const said = await opened.pointAt('Evelina');
		expect(said).toContain('3 entries');
		return { ...opened, said };
	}

	test('entries that lack one are left out by a button that says how many', async () => {
		const { said, press, firstCells } = await openBooks();
		expect(said).toContain('in 2 of 3');
		const left = await press('Leave out the 1 entry without Name');
		expect(left).toContain('2 entries');
		expect(left).toContain('in 2 of 2');
		expect(await firstCells()).toEqual(['Emma', 'Evelina']);
	});

	test('a link that is pointed at twice gives its text and where it leads', async () => {
		const { pointAt, panel, firstCells } = await openBooks();
		await pointAt('Emma');
		expect(panel()).toContain('Name of column 2');
		expect(await firstCells()).toContain(`${site.baseUrl}/Evelina`);
	});

	test('what is told apart by nothing but its place is said, and refused a second time', async () => {
		const { pointAt, panel } = await openBooks();
		expect(await pointAt('400 pages')).toContain('by its place: look at the rows');
		expect(await pointAt('700 pages')).toContain('reads this already');
		expect(panel()).toContain('role="alert"');
	});
});
