import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What a site is told of the page that leads to it, as by Chromium: who chooses a currency is sent back to it, and forms
// of many sites are taken from their own pages alone.

const link = (more = '', to = 'here') => `<a class="go" ${more} href="{${to}}">Go</a>`;
const form = (more = '', to = 'here') =>
	`<form ${more} action="{${to}}"><button class="go">Go</button></form>`;
const meta = (policy: string) => `<meta name="referrer" content="${policy}">`;

const policies = [
	'no-referrer',
	'no-referrer-when-downgrade',
	'same-origin',
	'origin',
	'strict-origin',
	'origin-when-cross-origin',
	'strict-origin-when-cross-origin',
	'unsafe-url',
	'never',
	'always',
	'default',
	'origin-when-crossorigin',
	'nonsense',
	'',
];

/** Pages that lead to one which says what it was told: what they hold, and what their headers say. */
const pages: { holds: string; says?: Record<string, string>; onTheWay?: string }[] = [
	...['here', 'there', 'hereLater', 'thereLater'].flatMap((to) => [
		...['', 'rel="noopener noreferrer"', 'referrerpolicy="unsafe-url"'].map((more) => ({
			holds: link(more, to),
		})),
		{ holds: form('', to) },
		{ holds: form('method="post"', to) },
	]),
	...policies.flatMap((policy) => [
		{ holds: meta(policy) + link('', 'there') },
		{ holds: meta(policy) + form('method="post"', 'there') },
	]),
	...['no-referrer', 'same-origin', 'origin'].flatMap((policy) => [
		{ holds: meta(policy) + link() },
		{ holds: meta(policy) + form('method="post"') },
	]),
	{ holds: meta('no-referrer') + meta('unsafe-url') + link('', 'there') },
	{ holds: link('', 'there'), says: { 'referrer-policy': 'unsafe-url' } },
	{ holds: link('', 'there'), says: { 'referrer-policy': 'unsafe-url, nonsense' } },
	{ holds: link('', 'there'), says: { 'referrer-policy': 'always' } },
	{ holds: meta('no-referrer') + link(), says: { 'referrer-policy': 'unsafe-url' } },
	{ holds: link('', 'thereLater'), onTheWay: 'unsafe-url' },
	{ holds: form('method="post"', 'thereLater'), onTheWay: 'no-referrer' },
	{ holds: form('method="post"', 'thereLater'), onTheWay: 'origin' },
	{ holds: form('method="post"', 'thereAndBack') },
	{ holds: form('method="post"', 'hereAndAway') },
	{ holds: link('', 'hereAndAway') },
	{ holds: link('', 'thereAndBack') },
	{ holds: meta('no-referrer, unsafe-url') + link('', 'there') },
	{ holds: link('', 'hereLater'), onTheWay: 'no-referrer' },
	{ holds: form('method="post" rel="noreferrer"') },
	{ holds: '<meta http-equiv="refresh" content="0; url={here}">' },
	{ holds: '<p>Wait</p>', says: { refresh: '0; url={here}' } },
	{ holds: '<p>Wait</p>', says: { refresh: '0; url={there}' } },
];

const kinds = ['http', 'browser'] as const;
/** The same site, to browsers another one. */
const elsewhere = () => site.baseUrl.replace('127.0.0.1', 'localhost');

const { site, service } = useSiteAndService(
	({ url, headers: { referer = '-', origin = '-' } }) => {
		const [, kind, number] = url.pathname.split('/');
		if (kind === 'told') {
			return `<p class="told">${referer} ${origin}</p><a class="go" href="${url.href}">Again</a>`;
		}
		const { holds = '', says = {}, onTheWay = '' } = pages[Number(number)] ?? {};
		const host = { later: '', back: site.baseUrl, away: elsewhere() }[kind ?? ''];
		if (host !== undefined) {
			const location = `${host}/told/${number}`;
			return { status: 307, headers: { location, 'referrer-policy': onTheWay } };
		}
		const filled = (text: string) =>
			text.replace(/\{(here|there)(Later|AndBack|AndAway)?\}/, (_, where: string, how?: string) => {
				const at = where === 'here' ? '' : elsewhere();
				return `${at}/${how === undefined ? 'told' : how.replace('And', '').toLowerCase()}/${number}`;
			});
		const headers = { 'content-type': 'text/html', ...says };
		const said = Object.entries(headers).map(([name, value]) => [name, filled(value)] as const);
		return { headers: Object.fromEntries(said), body: filled(holds) };
	},
	() => {
		const urls = pages.map((_, number) => `${site.baseUrl}/page/${number}?a=b#c`);
		const tasks = kinds.map((page) =>
			task(
				page,
				[
					loop({ loopType: 'list', listType: 'urlList', urls }, [
						step('navigate', { useLoopItem: true }),
						step('click', { selector: '.go' }),
						extract({ Told: '.told', Url: { source: 'pageUrl' } }),
					]),
				],
				{ page },
			),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser(
	'sites learn from which page they are asked, as by Chromium',
	async () => {
		const [http, browser] = await Promise.all(
			kinds.map((kind) => cloudClient(service).run(uuidOf(kind))),
		);
		const told = (run: typeof http) =>
			pages.map((page, number) => {
				const row = run?.rows.find(({ Url: url = '' }) =>
					url.replace('?', '').endsWith(`/${number}`),
				);
				return [page, row?.Told?.replaceAll(site.baseUrl, '{site}')];
			});
		// Some lead to pages that others lead to.
		const warned = service.log.filter(({ level }) => Number(level) >= 40).map(({ msg }) => msg);
		expect(new Set(warned)).toEqual(new Set(['page redirected to another one']));
		expect(told(http)).toEqual(told(browser));
		expect(http?.rows).toHaveLength(pages.length);
	},
);
