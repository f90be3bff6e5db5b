import { Cookies } from '../../service/src/pages/http/cookies.ts';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Which cookies go to a site, and in what order, by the page that leads there: as by Chromium.

const set = [
	'path=short; Path=/',
	'path=long; Path=/told',
	'path=other; Path=/other',
	'strict=1; Path=/; SameSite=Strict',
	'lax=1; Path=/; SameSite=Lax',
	'usual=1; Path=/',
	'open=1; Path=/; SameSite=None',
	'open=safe; Path=/told/; SameSite=None; Secure',
	'strange=1; Path=/; SameSite=Strange',
	'__Host-a=1; Path=/',
	'__Host-b=1; Path=/; Secure',
];

/** Pages that lead to one which says what cookies it was sent. */
const pages = ['told', 'later'].flatMap((to) => [
	`<a class="go" href="{there}/${to}/{number}">Go</a>`,
	`<form action="{there}/${to}/{number}"><button class="go">Go</button></form>`,
	`<form method="post" action="{there}/${to}/{number}"><button class="go">Go</button></form>`,
]);

const kinds = ['http', 'browser'] as const;
const hosts = ['127.0.0.1', 'localhost'];

const answered = (status: number, headers: Record<string, string | string[]>) => ({
	status,
	headers,
});

const { site, service } = useSiteAndService(
	({ url, method, headers: { cookie = '-' } }) => {
		const [, kind, number = ''] = url.pathname.split('/');
		if (kind === 'set') return answered(200, { 'set-cookie': set });
		if (kind === 'told') return `<p class="told">${method} ${cookie}</p>`;
		if (kind === 'later') return answered(302, { location: `/told/${number}` });
		return (pages[Number(number)] ?? '')
			.replaceAll('{there}', site.baseUrl)
			.replaceAll('{number}', number);
	},
	() => {
		const tasks = kinds.map((page) => {
			const urls = hosts.flatMap((host) =>
				pages.map((_, number) => `${site.baseUrl.replace('127.0.0.1', host)}/page/${number}`),
			);
			const steps = [
				step('navigate', { url: `${site.baseUrl}/set` }, 'set'),
				step('navigate', { useLoopItem: true }, 'open'),
				step('click', { selector: '.go' }),
				extract({ Told: '.told' }),
			];
			return task(page, [loop({ loopType: 'list', listType: 'urlList', urls }, steps)], { page });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser('cookies are sent as by Chromium', async () => {
	const [http, browser] = await Promise.all(
		kinds.map((kind) => cloudClient(service).run(uuidOf(kind))),
	);
	expect(http?.rows).toEqual(browser?.rows);
	expect(http?.rows).toHaveLength(hosts.length * pages.length);
	expect(new Set(http?.rows.map(({ Told: told }) => told)).size).toBeGreaterThan(3);
});

test('a cookie of the task is sent until the site has set one of its name', () => {
	const cookies = new Cookies();
	const url = 'http://shop.example/';
	const asking = { given: 'token=old; kept=1', from: undefined, isPosted: false };
	expect(cookies.header(url, asking)).toEqual({ cookie: 'token=old; kept=1' });
	cookies.take(url, ['token=new']);
	expect(cookies.header(url, asking)).toEqual({ cookie: 'token=new; kept=1' });
	expect(cookies.header('http://other.example/', asking)).toEqual({ cookie: 'token=old; kept=1' });
});

test('of cookies without end, those are kept that were sent last, as many as in Chromium', () => {
	const cookies = new Cookies();
	const asking = { given: undefined, from: undefined, isPosted: false };
	const sentTo = (url: string) => cookies.header(url, asking).cookie?.split('; ') ?? [];
	const numbered = (from: number) =>
		Array.from({ length: 1_000 }, (_, index) => `c${from + index}=1; Domain=shop.example; Path=/`);
	vi.useFakeTimers({ toFake: ['Date'] });
	try {
		cookies.take('http://other.example/', ['other=1']);
		cookies.take('http://a.shop.example/', ['session=1; Domain=shop.example; Path=/', 'own=1']);
		for (let page = 0; page < 5; page += 1) {
			vi.advanceTimersByTime(1_000);
			cookies.take('http://b.shop.example/', numbered(1_000 * page));
			expect(sentTo('http://b.shop.example/')).toHaveLength(180);
		}
	} finally {
		vi.useRealTimers();
	}
	expect(sentTo('http://a.shop.example/')).toHaveLength(180);
	expect(sentTo('http://other.example/')).toEqual(['other=1']);
	cookies.take('http://last.example/', [
		`long=${'x'.repeat(4_093)}`,
		`as-long=${'x'.repeat(4_089)}`,
	]);
	expect(sentTo('http://last.example/').map((each) => each.length)).toEqual([4_097]);
});
