import { startService, type RunningService } from '../../support/inProcess/startService';
import { plainText } from '../../support/service/plainText';
import { pointByRequests } from '../../support/service/pointByRequests';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

// A page that is pointed at is not always the one that was asked for, or what it once was.

const password = '<form><input type="password"></form>';
const cards = ['Emma', 'Evelina']
	.map((name) => `<div class="card"><h3>${name}</h3><b>${name.length} €</b></div>`)
	.join('');

let site: Site;
let service: RunningService;

beforeAll(async () => {
	site = await startSite(({ url }) => {
		const to = url.searchParams.get('to');
		if (to !== null) return { status: 302, headers: { Location: to } };
		if (url.pathname === '/sign-in') return `<title>Sign in</title>${password}`;
		return `<title>Books</title>${cards}${url.pathname === '/shop' ? password : ''}`;
	});
	const open = step('navigate', { url: `${site.baseUrl}/books` });
	const columns = extract({ Name: 'h3', Price: '.price', Stock: '.stock' }, 'li.book');
	const pages = loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [columns]);
	service = await startService({ tasks: { books: task('books', [open, pages]) } });
});
afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const openAt = async (path: string) =>
	plainText((await pointByRequests(service, '/console/new', { url: site.baseUrl + path })).pointed);

test.each([
	['a page to sign in', '/private?to=/sign-in', '/sign-in', true],
	['another page', '/old?to=/books', '/books', false],
])('an address that leads to %s is told', async (_, asked, landed, isLogin) => {
	const said = await openAt(asked);
	expect(said).toContain(
		`You asked for ${site.baseUrl}${asked} and were led to ${site.baseUrl}${landed}.`,
	);
	expect(said.includes('asks for a password')).toBe(isLogin);
});

test.each(['/books', '/books#top', '/shop'])('of %s nothing of the kind is said', async (path) => {
	expect(await openAt(path)).not.toMatch(/were led to|asks for a password/);
});

describe('a task whose list finds nothing on its page any more', () => {
	const change = () => pointByRequests(service, `/console/tasks/${uuidOf('books')}/point`);

	test('is given another list, and keeps its columns', async () => {
		const { pointed, pointAt, panel, firstColumns, firstCells } = await change();
		expect(plainText(pointed)).toContain('The list finds nothing on this page. Point at something');
		expect(pointed).not.toContain('Point at another one');
		expect(await pointAt('Emma')).toContain('Now point at the same thing in another entry');
		const said = await pointAt('Evelina');
		expect(said).toContain('2 entries');
		expect(said).toContain('Next page:');
		// One of them finds what it is to find, the others are to be pointed at anew.
		expect(panel()).toContain('Columns that find nothing: Price, Stock.');
		expect(said.split('Finds nothing in these entries')).toHaveLength(3);
		const ids = () => [...panel().matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);
		const before = ids();
		expect(before).toHaveLength(3);
		expect(await pointAt('4 €')).toContain('in 2 of 2');
		expect(panel()).toContain('Columns that find nothing: Stock.');
		expect(ids()).toEqual(before);
		expect(await firstColumns()).toEqual(['Name', 'Price', 'Stock']);
		expect(await firstCells()).toEqual(['Emma', '4 €', '', 'Evelina', '7 €', '']);
	});

	test('has a way back from the first wrong step', async () => {
		const { pointAt, press } = await change();
		await pointAt('Emma');
		await pointAt('Evelina');
		expect(await press('Undo')).toContain('Now point at the same thing in another entry');
		expect(await press('Undo')).toContain('The list finds nothing on this page.');
	});
});
