import { setTimeout as sleep } from 'node:timers/promises';
import { sharedBrowser } from '../support/inProcess/sharedBrowser';
import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { concurrentTestWithBrowser, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages in a browser that never come to an end: of going on to others, of asking, of opening windows.

let site: Site;
let service: RunningService;

const script = (text: string) => `<body><p>here</p><script>${text}</script>`;

/** Pages that are read as they are, or were, whatever they go on with. */
const readable: Record<string, string> = {
	'says things': script('setInterval(() => alert("a"), 20); confirm("b"); prompt("c");'),
	'asks before it is left': script(
		'onbeforeunload = () => "no"; addEventListener("beforeunload", (e) => e.preventDefault());',
	),
	'gives itself new addresses': script(
		'let n = 0; setInterval(() => history.pushState(null, "", "#" + n++), 10);',
	),
	'asks for ever': script('setInterval(() => fetch("/plain?" + Math.random()), 20);'),
	'changes for ever': script(
		'setInterval(() => document.body.append(document.createElement("i")), 10);',
	),
	'starts a download': script('location = "/file";'),
	'starts a download later': script('setTimeout(() => { location = "/file"; }, 100);'),
	'asks for what is no page': script('location = "/nothing";'),
	'opens a window': script('open("/windows");'),
	'is written anew': script(
		'onload = () => { document.open(); document.write("<p>here</p>"); document.close(); };',
	),
};

/** Pages that are given up, since each has gone on to another one. */
const endless: Record<string, string> = {
	'opens itself again': script('onload = () => location.reload();'),
	'opens itself again before it has come': script('setInterval(() => location.reload(), 1);'),
	'leads on by script': script('location = "?" + Math.random();'),
	'leads on by refresh': '<meta http-equiv="refresh" content="0"><p>here</p>',
	'sends its form': `<form action="?"></form>${script('document.forms[0].submit();')}`,
};

/** A page whose script comes in 9.5 seconds, while there are six for the page. */
const slow = 'waits for a script';

const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;

/** A task that reads this page, and then another one. */
const reading = (name: string, timeout?: number) => {
	const urls = [site.baseUrl + pathOf(name), `${site.baseUrl}/plain`];
	const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [eachPage], {
		page: 'browser',
		requestsPerHost: 8,
		tries: 1,
		timeout,
	});
};

/** Opens fifty windows, which open fifty each. */
const windows = script(`let opened = 0;
	const opening = setInterval(() => {
		open('/windows', '', opened % 2 ? 'noopener' : '');
		opened += 1;
		document.querySelector('p').textContent = opened;
		if (opened === 50) clearInterval(opening);
	}, 10);`);

beforeAll(async () => {
	const pages = new Map<string, string>([
		['/plain', '<p>plain</p>'],
		[pathOf(slow), '<p>here</p><script src="/slow.js"></script><p>late</p>'],
		['/windows', windows],
		...Object.entries({ ...readable, ...endless }).map(
			([name, page]) => [pathOf(name), page] as const,
		),
	]);
	site = await startSite(async ({ url: { pathname } }) => {
		if (pathname === '/file')
			return { headers: { 'content-disposition': 'attachment' }, body: 'x' };
		if (pathname === '/slow.js') await sleep(9_500);
		if (pathname === '/nothing') return { status: 204 };
		return pages.get(pathname) ?? { status: 404 };
	});
	const names = [...Object.keys(readable), ...Object.keys(endless)];
	const tasks: Record<string, object> = {};
	for (const name of names) tasks[name] = reading(name);
	tasks[slow] = reading(slow, 6_000);
	service = await startService({ tasks, env: { SERVICE_AGENTS: '4' } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** The texts that come of a task, and why others do not. */
async function outcomeOf(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const reasons = service.log
		.filter((line) => line.batchID === batch.batchID && line.reason !== undefined)
		.map(({ reason }) => String(reason).replaceAll(site.baseUrl, ''));
	return { texts: rows.map(({ Text: text }) => text), reasons };
}

concurrentTestWithBrowser.each(sample(Object.keys(readable)))(
	'a page that %s is read, and so is the next one',
	async (name) => {
		expect(await outcomeOf(name)).toEqual({ texts: ['here', 'plain'], reasons: [] });
	},
);

concurrentTestWithBrowser.each(sample(Object.keys(endless)))(
	'a page that %s is given up, and the next one is read',
	async (name) => {
		const { texts, reasons } = await outcomeOf(name);
		expect(texts).toEqual(['plain']);
		expect(reasons).toEqual([
			expect.stringMatching(
				/^\/\S+ was given up: more than 10 pages in a row opened another one\.$/,
			),
		]);
	},
);

// Alone: six seconds are enough for its document only while no other tab begins.
testWithBrowser(`a page that ${slow} is read when its time is over, and that is said`, async () => {
	const reasons = ['Data that the page has asked for did not come: /slow.js has not answered.'];
	expect(await outcomeOf(slow)).toEqual({ texts: ['here', 'plain'], reasons });
});

concurrentTestWithBrowser('windows that a page opens do not stay', async () => {
	const tab = await sharedBrowser()?.newTab({});
	if (!tab) throw new Error('There is no browser.');
	await tab.goto(`${site.baseUrl}/windows`);
	await tab.getByText('50').waitFor({ timeout: 0 });
	while (tab.context().pages().length > 1) await sleep(20);
	expect(tab.context().pages()).toEqual([tab]);
	await tab.context().close();
});
