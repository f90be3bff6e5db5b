import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	brokenBrowser,
	browserOfUsers,
	testWithBrowser,
	testWithBrowserAtLength,
} from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { signalBrowser } from '../support/service/signalBrowser';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Browsers that crash, do not start, or are not there.

let site: Site;
let service: RunningService;
let client: CloudClient;

const pages: Record<string, string> = {
	'/other': '<p>the other page</p>',
	'/late': `<body><script>
		setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p>made by a script</p>'), 700);
	</script></body>`,
	'/links': '<a href="/linked">link</a>'.repeat(6),
	'/linked': '<p>linked</p>',
};

/** How often each feed has been opened, by its length. */
const feeds: Record<number, number> = {};

/**
 * A list of so many pairs that gets longer as it is scrolled; at half of it, the browser crashes. Opened again, it gets two
 * of them at once behind the second.
 */
const feed = (pairs: number, times: number) => `<body><main></main><script>
	const main = document.querySelector('main');
	let last = 0;
	const add = (pairs) => { for (; pairs > 0 && last < ${pairs}; pairs -= 1) {
		last += 1;
		for (const half of ['a', 'b']) main.insertAdjacentHTML('beforeend', '<p style="height: 400px">' + last + half + '</p>');
	} };
	add(1);
	onscroll = () => {
		if (scrollY + innerHeight < document.body.scrollHeight - 100) return;
		if (last === ${pairs / 2} && ${times} === 1) fetch('/crash');
		else add(last === 2 && ${times} > 1 ? 2 : 1);
	};
</script></body>`;

let crashes = 0;

/** A list for each tab, of which the last one crashes the browser once as it is scrolled. */
const tabs = `<body><button>a</button><button>b</button><main></main><script>
	const main = document.querySelector('main');
	let [tab, last] = ['a', 0];
	const add = () => {
		for (const end = Math.min(last + 2, 8); last < end; last += 1)
			main.insertAdjacentHTML('beforeend', '<p style="height: 400px">' + tab + (last + 1) + '</p>');
		if (tab === 'b' && last === 6) fetch('/crash?once');
	};
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		[tab, last, main.innerHTML] = [button.textContent, 0, ''];
		add();
	};
	add();
	onscroll = () => scrollY + innerHeight > document.body.scrollHeight - 100 && add();
</script></body>`;

const browserTask = (name: string, path: string, ...steps: object[]) =>
	task(name, [step('navigate', { url: `{base}${path}` }), ...steps], { page: 'browser' });

const text = () => extract({ Text: {} }, 'p');

const scrolled = loop({ loopType: 'scroll', timesMode: 'all' }, [text()]);

const tasks = {
	other: browserTask('other', '/other', text()),
	long: browserTask(
		'long',
		'/other',
		loop({ loopType: 'count', times: 1000 }, [
			step('navigate', { url: '{base}/other' }, 'again'),
			text(),
		]),
	),
	members: browserTask(
		'members',
		'/login',
		loop({ loopType: 'count', times: 1000 }, [
			step('navigate', { url: '{base}/members' }, 'members'),
			text(),
		]),
	),
	elements: browserTask(
		'elements',
		'/links',
		loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [
			step('click', { useLoopItem: true }),
			text(),
		]),
	),
	tabs: browserTask(
		'tabs',
		'/tabs',
		loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
			step('click', { useLoopItem: true }),
			loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Text: {} }, ':root p')]),
		]),
	),
	'feed of 6': browserTask('feed of 6', '/feed6', scrolled),
	'feed of 130': browserTask('feed of 130', '/feed130', scrolled),
	'two pages': task(
		'two pages',
		[
			loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/other', '{base}/late'] }, [
				step('navigate', { useLoopItem: true }),
				text(),
			]),
		],
		{ page: 'browser' },
	),
};

/** A task as its file holds it. */
const fileOf = (name: keyof typeof tasks) =>
	JSON.stringify(tasks[name]).replaceAll('{base}', site.baseUrl);

beforeAll(async () => {
	site = await startSite(({ url, headers: { cookie } }) => {
		if (url.pathname === '/login') return { headers: { 'set-cookie': 'member=yes' } };
		if (url.pathname === '/members')
			return `<p>${cookie === 'member=yes' ? 'member' : 'guest'}</p>`;
		if (url.pathname === '/crash' && (url.search === '' || crashes++ === 0)) killBrowser();
		if (url.pathname === '/tabs') return tabs;
		if (url.pathname.startsWith('/feed')) {
			const pairs = Number(url.pathname.slice(5));
			const times = (feeds[pairs] = (feeds[pairs] ?? 0) + 1);
			return feed(pairs, times);
		}
		return pages[url.pathname] ?? { status: 404 };
	});
	service = await startService({
		tasks: {
			long: fileOf('long'),
			elements: fileOf('elements'),
			short: fileOf('feed of 6'),
			tabs: fileOf('tabs'),
			far: fileOf('feed of 130'),
			members: fileOf('members'),
		},
		env: browserOfUsers,
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** Ends the browser of the service as a crash would. */
const killBrowser = () => signalBrowser(service, 'SIGKILL');

testWithBrowser('goes on in a new browser when the browser crashes', async () => {
	const batch = await client.start(uuidOf('long'));
	await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	killBrowser();
	const { lineCount } = await client.waitFor(batch, () => true);
	await client.waitFor(batch, (now) => now.lineCount > lineCount + 1);
	await client.stop(uuidOf('long'));
});

testWithBrowserAtLength('keeps the cookies of a job when the browser crashes', async () => {
	const batch = await client.start(uuidOf('members'));
	await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	killBrowser();
	const { lineCount } = await client.waitFor(batch, () => true);
	await client.waitFor(batch, (now) => now.lineCount > lineCount + 1);
	await client.stop(uuidOf('members'));
	const ended = await client.waitFor(batch, ({ status }) => status >= 3);
	const texts = new Set((await client.rowsOf(ended)).map(({ Text: shown }) => shown));
	expect([...texts]).toEqual(['member']);
});

testWithBrowserAtLength('loses no element of a loop when the browser crashes', async () => {
	const batch = await client.start(uuidOf('elements'));
	await client.waitFor(batch, ({ lineCount }) => lineCount >= 2);
	killBrowser();
	const { lineCount } = await client.waitFor(batch, ({ status }) => status >= 3);
	expect(lineCount).toBe(6);
});

async function readFeed(length: 6 | 130): Promise<void> {
	const { rows } = await client.run(uuidOf(`feed of ${length}`));
	expect(feeds[length]).toBeGreaterThan(1);
	const pairs = Array.from({ length }, (_, index) => [`${index + 1}a`, `${index + 1}b`]);
	expect(rows.map(({ Text: shown }) => shown)).toEqual(pairs.flat());
}

testWithBrowser('stores each row of a feed once when the browser crashes', () => readFeed(6));

testWithBrowserAtLength('goes on with a feed where the browser has crashed far down', () =>
	readFeed(130),
);

testWithBrowser(
	'reads a list that a click has opened from its start when the browser crashes',
	async () => {
		const { rows } = await client.run(uuidOf('tabs'));
		expect(crashes).toBeGreaterThan(0);
		const wanted = ['a', 'b'].flatMap((tab) =>
			[1, 2, 3, 4, 5, 6, 7, 8].map((row) => `${tab}${row}`),
		);
		expect(rows.map(({ Text: shown }) => shown)).toEqual(wanted);
	},
);

test('says how to get a browser where there is none, and starts nothing', async () => {
	const without = await startService({ env: { PATH: '/nowhere' } });
	const body = {
		taskID: '66666666-6666-4666-8666-666666666666',
		nodeCount: 1,
		jobCount: 1,
	};
	const answer = await cloudClient(without).call('/cloud/start', { body });
	expect(answer).toMatchObject({ httpStatus: 409, code: 9000002 });
	expect(answer.msg).toMatch(/apt-get install -y chromium.*SERVICE_BROWSER/);
	expect((await cloudClient(without).batches(body.taskID)).pagination.total).toBe(0);
	await without.stop();
});

testWithBrowser(
	'keeps an unfinished batch for a start with a browser where there is none',
	async () => {
		const file = fileOf('two pages');
		const first = await startService({ tasks: { file }, env: browserOfUsers });
		const { folder } = first;
		const batch = await cloudClient(first).start(uuidOf('two pages'));
		await cloudClient(first).waitFor(batch, ({ lineCount }) => lineCount > 0);
		await first.kill();

		const without = await startService({ folder, env: { PATH: '/nowhere' } });
		await without.logged({
			batchID: batch.batchID,
			msg: 'batch waits: its kind of page cannot be opened here',
		});
		await without.kill();

		const again = await startService({ folder, env: browserOfUsers });
		const ended = await cloudClient(again).waitFor(batch, ({ status }) => status >= 3);
		expect(await cloudClient(again).rowsOf(ended)).toEqual([
			{ Text: 'the other page' },
			{ Text: 'made by a script' },
		]);
		await again.stop();
	},
);

testWithBrowserAtLength('waits for a browser that does not start, and then works on', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-browser-'));
	const { executable, mend } = await brokenBrowser(folder);
	const file = fileOf('other');
	const fragile = await startService({ tasks: { file }, env: { SERVICE_BROWSER: executable } });
	const running = cloudClient(fragile).run(uuidOf('other'));
	await fragile.logged({ page: 'browser', msg: 'pages cannot be opened here, looking again' });
	await mend();
	expect((await running).rows).toEqual([{ Text: 'the other page' }]);
	expect(fragile.log.some(({ msg }) => String(msg).startsWith('page failed'))).toBe(false);
	await fragile.stop();
	await rm(folder, { recursive: true });
});
