import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// Pages in a browser that send their reader on, as those that say "please wait": `http` pages are in standard.test.ts.

const meta = (content: string) => `<meta http-equiv="Refresh" content="${content}"><p>wait</p>`;
const there = '<p>there</p>';

/** What is read, and the path of its page, by the page that is opened; the second answer is that to its cookie. */
const pages: Record<string, { answers: SiteAnswer[]; read: string; at: string }> = {
	'/at-once': { answers: [meta('0; url=/there')], read: 'there', at: '/there' },
	'/soon': { answers: [meta('2; url=/there')], read: 'there', at: '/there' },
	'/header': {
		answers: [{ headers: { refresh: '1; url=/there' }, body: '<p>wait</p>' }],
		read: 'there',
		at: '/there',
	},
	'/late': { answers: [meta('20; url=/there')], read: 'there', at: '/there' },
	'/itself': { answers: [meta('3'), there], read: 'there', at: '/itself' },
	'/chain': { answers: [meta('1; url=/soon')], read: 'there', at: '/there' },
	'/refused': {
		answers: [{ status: 503, body: meta('1; url=/there') }],
		read: 'there',
		at: '/there',
	},
	'/news': { answers: [meta('300')], read: 'wait', at: '/news' },
	'/left': { answers: [meta('1800; url=/there')], read: 'wait', at: '/left' },
	'/fragment': { answers: [meta('0; url=#there')], read: 'wait', at: '/fragment#there' },
	'/unscripted': {
		answers: [`<noscript>${meta('0; url=/there')}</noscript><p>stays</p>`],
		read: 'stays',
		at: '/unscripted',
	},
};

/** Pages in whose place there is none. */
const ledNowhere: Record<string, string> = {
	'/file': meta('0; url=file:///etc/passwd'),
	'/of-the-browser': meta('0; url=about:version'),
	'/blank': meta('0; url=about:blank'),
	'/by-a-script':
		"<p>wait</p><script>setTimeout(() => (location.href = 'about:version'), 100)</script>",
};

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(({ url: { pathname }, headers }) => {
		if (pathname === '/there') return there;
		const led = ledNowhere[pathname];
		if (led !== undefined) return led;
		const [first, second] = pages[pathname]?.answers ?? [{ status: 404 }];
		if (first === undefined || second === undefined) return first ?? { status: 404 };
		const name = pathname.slice(1);
		if (headers.cookie?.includes(name)) return second;
		const body = typeof first === 'string' ? first : '';
		return { headers: { 'set-cookie': `${name}=1` }, body };
	});
	const tasks = [...Object.keys(pages), ...Object.keys(ledNowhere)].map((path) =>
		task(
			path,
			[
				step('navigate', { url: `${site.baseUrl}${path}` }),
				extract({ Text: 'p', Page: { source: 'pageUrl' } }),
			],
			{ page: 'browser', requestsPerHost: 8 },
		),
	);
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
		env: { SERVICE_AGENTS: '8' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

concurrentTestWithBrowser.each(Object.entries(pages))(
	'%s is read where it leads to',
	async (path, { read, at }) => {
		const { rows } = await client.run(uuidOf(path));
		expect(rows).toEqual([{ Text: read, Page: `${site.baseUrl}${at}` }]);
	},
);

concurrentTestWithBrowser.each(Object.keys(ledNowhere))('%s fails', async (path) => {
	const { batch, rows } = await client.run(uuidOf(path));
	expect(rows).toEqual([]);
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 1 });
});
