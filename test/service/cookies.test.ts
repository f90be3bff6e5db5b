import { describeOnBothPagesAtLength } from '../support/service/browser';
import type { SiteAnswer, SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Cookies are kept for the length of a job, on http pages as in a browser.

let ground: Ground;

/** Says which cookies came with the request, in an order that does not count. */
const shown = ({ headers }: SiteRequest) =>
	`<p>${(headers.cookie ?? 'none').split('; ').sort().join(' ')}</p>`;

const setting = (cookies: string[], location?: string) => ({
	status: location === undefined ? 200 : 302,
	headers: { 'set-cookie': cookies, ...(location !== undefined && { location }) },
	body: '<p>set</p>',
});

function answer(request: SiteRequest): SiteAnswer {
	const { pathname, searchParams } = request.url;
	switch (pathname) {
		case '/login':
			return `<form action="/session" method="post"><input name="user"><button>Go</button></form>`;
		case '/session':
			return setting(['session=1; HttpOnly; Path=/', 'hop=a; Path=/'], '/hop');
		case '/hop':
			return setting([`seen=${/session=1/.test(request.headers.cookie ?? '')}`], '/members/');
		case '/members/':
			return `${shown(request)}<a href="/members/2">next</a>`;
		case '/rules':
			return setting([
				'whole=1; Path=/',
				'part=1; Path=/deep',
				'foreign=1; Domain=example.com; Path=/',
				'secure=1; Secure; Path=/',
				'aged=1; Max-Age=60; Path=/',
				'old=1; Max-Age=0; Path=/',
				'past=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Path=/',
				'nameless; Path=/',
			]);
		case '/drop':
			return setting(['whole=; Max-Age=0; Path=/']);
		case '/mark':
			return setting([`job${searchParams.get('job')}=1; Path=/`]);
		case '/words':
			return `<form action="/word"><input name="q"><button>Go</button></form>`;
		case '/word':
			return { headers: { 'set-cookie': `${searchParams.get('q')}=1` }, body: shown(request) };
		default:
			return shown(request);
	}
}

const open = (path: string, name?: string) => step('navigate', { url: `{base}${path}` }, name);
const cookies = (name: string) => extract({ [name]: {} }, 'p');

beforeAll(async () => {
	const list = (urls: string[], steps: object[]) =>
		loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	ground = await startOnBothPages(
		{
			login: task('login', [
				open('/login'),
				step('inputText', { selector: 'input', text: 'me' }),
				step('click', { selector: 'button' }),
				cookies('After the login'),
				step('click', { selector: 'a' }),
				cookies('On the next page'),
			]),
			rules: task('rules', [
				open('/rules'),
				open('/read'),
				cookies('At the top'),
				open('/deep/read'),
				cookies('Deeper'),
				open('/drop'),
				open('/read', 'again'),
				cookies('After the drop'),
			]),
			jobs: task('jobs', [
				list(
					['{base}/mark?job=1', '{base}/mark?job=2'],
					[step('navigate', { useLoopItem: true }), open('/read'), cookies('Cookies')],
				),
			]),
			words: task('words', [
				open('/words'),
				loop({ loopType: 'list', listType: 'textList', texts: ['one', 'two', 'three'] }, [
					step('inputText', { selector: 'input', useLoopItem: true }),
					step('click', { selector: 'button' }),
					cookies('Cookies'),
				]),
			]),
		},
		answer,
	);
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('on pages of kind', (page) => {
	const rowsOf = async (name: string, jobCount = 1) => {
		const { rows } = await ground.client.run(uuidOf(`${name} ${page}`), {
			jobCount,
			nodeCount: jobCount,
		});
		return rows;
	};
	const textsOf = async (name: string, jobCount?: number) =>
		(await rowsOf(name, jobCount)).map((row) => Object.values(row).join(''));

	test('a login is kept: its cookies are taken at each redirect, and sent on', async () => {
		expect(await textsOf('login')).toEqual([
			'hop=a seen=true session=1',
			'hop=a seen=true session=1',
		]);
	});

	test('Domain, Path, Secure, Max-Age and Expires decide who gets a cookie', async () => {
		expect(await textsOf('rules')).toEqual([
			'aged=1 nameless secure=1 whole=1',
			'aged=1 nameless part=1 secure=1 whole=1',
			'aged=1 nameless secure=1',
		]);
	});

	test('jobs share no cookies, nor do runs', async () => {
		expect(await textsOf('jobs', 2)).toEqual(['job1=1', 'job2=1']);
		expect(await textsOf('jobs', 1)).toEqual(['job1=1', 'job1=1 job2=1']);
		expect(await textsOf('jobs', 2)).toEqual(['job1=1', 'job2=1']);
	});

	test('a loop that goes back to its page keeps the cookies of its rounds', async () => {
		expect(await textsOf('words')).toEqual(['none', 'one=1', 'one=1 two=1']);
	});

	test('without a cookie there is no header for one', async () => {
		ground.site.requests.length = 0;
		await rowsOf('login');
		const [first] = ground.site.requests;
		expect(first?.url.pathname).toBe('/login');
		expect(first?.headers).not.toHaveProperty('cookie');
	});
});
