import { concurrentTestWithBrowser } from '../support/service/browser';
import type { SiteRequest } from '../support/service/startSite';
import { extract, loop, step, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Headers of a task that say who asks, as to log in: they are for the sites that the task names, whatever leads elsewhere.

const headers = { Authorization: 'Basic eA==', cookie: 'key=1', 'X-Own': 'own' };
const known = 'Basic eA== key=1 own';
const unknown = 'none none own';

const echo = ({
	headers: { authorization = 'none', cookie = 'none', 'x-own': own },
}: SiteRequest) => `<p>${authorization} ${cookie} ${String(own)}</p>`;

/** The same machine, as another site. */
const elsewhere = (base: string) => base.replace('127.0.0.1', 'localhost');
let ground: Ground;

const open = (url: string) => step('navigate', { url });
const read = extract({ Text: 'p' });
const ways: Record<string, object[]> = {
	'what it opens': [open('{base}/echo'), read],
	'what it opens, one of a list': [
		loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/echo'] }, [
			step('navigate', { useLoopItem: true }),
			read,
		]),
	],
	'a click on the same site': [open('{base}/links'), step('click', { selector: '.here' }), read],
	'a redirect there and back': [open('{base}/round'), read],
	'a form that is led there and back': [
		open('{base}/links'),
		step('click', { selector: '.sends' }),
		read,
	],
	'a click there and back': [
		open('{base}/links'),
		step('click', { selector: '.there' }),
		step('click', { selector: '.back' }),
		read,
	],
};
const awayFrom: Record<string, object[]> = {
	'a click': [open('{base}/links'), step('click', { selector: '.there' }), read],
	'a form': [open('{base}/links'), step('click', { selector: 'button' }), read],
	'a redirect': [open('{base}/redirect'), read],
	'a page that sends on by itself': [open('{base}/refresh'), read],
	'an element of a page': [
		open('{base}/links'),
		loop({ loopType: 'list', listType: 'elements', selector: '.there' }, [
			step('navigate', { useLoopItem: true }),
			read,
		]),
	],
};

beforeAll(async () => {
	const parts = [open('{base}/parts'), read];
	// It names more sites than are told apart before they are asked; none of them is opened.
	const others = Array.from({ length: 21 }, (_, index) => open(`http://site${index}.example/`));
	const never = loop({ loopType: 'list', listType: 'elements', selector: '.nowhere' }, others);
	const many = [open('{base}/redirect'), read, never];
	const manyParts = [...parts, never];
	const steps = { ...ways, ...awayFrom, parts, many, manyParts };
	const tasks = Object.fromEntries(
		Object.entries(steps).map(([name, each]) => [name, { name, steps: each, headers }]),
	);
	ground = await startOnBothPages(tasks, (request) => {
		const { pathname } = request.url;
		const base = ground.site.baseUrl;
		const there = `${elsewhere(base)}/echo`;
		const sendOn = (to: string) => ({ status: 302, headers: { location: to } });
		switch (pathname) {
			case '/links':
				return `<a class="here" href="/echo">a</a><a class="there" href="${there}">b</a>
					<form method="post" action="${there}"><button>c</button></form>
					<form method="post" action="/round"><button class="sends">e</button></form>`;
			case '/script':
				return {
					headers: {
						'access-control-allow-origin': '*',
						'access-control-allow-headers': 'authorization, x-own',
					},
				};
			case '/redirect':
				return sendOn(there);
			case '/round':
				return sendOn(`${elsewhere(base)}/back`);
			case '/back':
				return sendOn(`${base}/echo`);
			case '/refresh':
				return `<meta http-equiv="refresh" content="0; url=${there}">`;
			case '/parts':
				return `<p>parts</p><img src="/own"><img src="${elsewhere(base)}/other"><script>
					fetch('${elsewhere(base)}/script', { headers: { authorization: 'Bearer own' } });
					fetch('/own');
					fetch('${elsewhere(base)}/other', { mode: 'no-cors' });
				</script>`;
			default:
				return `${echo(request)}<a class="back" href="${base}/echo">d</a>`;
		}
	});
});
afterAll(() => ground?.stop());

const kinds = ['http', 'browser'] as const;
const casesOf = (given: Record<string, object[]>) =>
	Object.keys(given).flatMap((name) => kinds.map((kind): [string, string] => [name, kind]));
const textOf = async (name: string, kind: string) => {
	const { rows } = await ground.client.run(uuidOf(`${name} ${kind}`));
	return rows.map(({ Text }) => Text);
};

concurrentTestWithBrowser.each(casesOf(ways))(
	'the sites that a task names get them: %s, %s',
	async (name, kind) => {
		expect(await textOf(name, kind)).toEqual([known]);
	},
);

concurrentTestWithBrowser.each(casesOf(awayFrom))(
	'another site, where it leads there, does not: %s, %s',
	async (name, kind) => {
		expect(await textOf(name, kind)).toEqual([unknown]);
	},
);

concurrentTestWithBrowser('nor does one that a page in a browser asks for parts', async () => {
	expect(await textOf('parts', 'browser')).toEqual(['parts']);
	expect(await textOf('many', 'browser')).toEqual([unknown]);
	expect(await textOf('manyParts', 'browser')).toEqual(['parts']);
	const saidAt = (path: string) => {
		const requests = ground.site.requests.filter(
			({ url, method }) => url.pathname === path && method === 'GET',
		);
		return [...new Set(requests.map((request) => echo(request).replace(/<.*?>/g, '')))];
	};
	expect(saidAt('/own')).toEqual([known]);
	expect(saidAt('/other')).toEqual([unknown]);
	expect(saidAt('/script')).toEqual(['Bearer own none own']);
});
