import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { Hangs } from '../../service/src/pages/browser/hangs.ts';
import { IsolatedWorld } from '../../service/src/pages/browser/isolatedWorld.ts';
import { Pulse } from '../../service/src/pages/browser/pulse.ts';
import { PageError } from '../../service/src/pages/page.ts';
import { sharedBrowser } from '../support/inProcess/sharedBrowser';
import { testWithBrowser, testWithBrowserAtLength } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages in a browser whose scripts go on after they have come: for a while, or for ever.

let site: Site;
let service: RunningService;
let client: CloudClient;

const pages: Record<string, string> = {
	'/rising': `<body><p>0</p><script>addEventListener('load', () => {
		const shown = document.querySelector('p').firstChild;
		const rising = setInterval(() => {
			shown.data = Number(shown.data) + 1;
			if (shown.data === '50') clearInterval(rising);
		}, 10);
	})</script></body>`,
	'/clock': `<body><p></p><button>Nothing</button><script>
		setInterval(() => (document.querySelector('p').textContent = performance.now()), 100);
	</script></body>`,
};

/** Of scripts that work on rows in slices of a few milliseconds, with nothing to see before the last one, as React does. */
const inSlices = (work: number) => `<p>old</p><button>Next</button><script>
	const { port1, port2 } = new MessageChannel();
	let [text, end] = ['', 0];
	port1.onmessage = () => {
		for (const until = performance.now() + 5; performance.now() < until;);
		if (performance.now() < end) port2.postMessage(0);
		else document.querySelector('p').textContent = text;
	};
	const render = (next) => {
		[text, end] = [next, performance.now() + ${work}];
		port2.postMessage(0);
	};
	document.querySelector('button').onclick = () => render('clicked');
	render('loaded');
</script>`;
const works = sample([240, 1_000, 4_000]);
for (const work of works) pages[`/slices${work}`] = inSlices(work);

/** Of scripts that leave others a turn between two pieces of work, which they ask the browser for. */
const inPieces = (ask: string) => `<p>old</p><script>
	const end = performance.now() + 1500;
	const piece = () => {
		for (const until = performance.now() + 15; performance.now() < until;);
		if (performance.now() < end) ${ask};
		else document.querySelector('p').textContent = 'made';
	};
	${ask};
</script>`;
const asks = sample(['setTimeout(piece)', 'requestAnimationFrame(piece)']);
asks.forEach((ask, index) => (pages[`/pieces${index}`] = inPieces(ask)));

/** An answer that comes shortly before a page's three seconds are over; then, the old row leaves slowly. */
pages['/late'] = `<p>old</p><button>Next</button><script>
	document.querySelector('button').onclick = async () => {
		await fetch('/lateData');
		const [old] = document.querySelectorAll('p');
		old.insertAdjacentHTML('afterend', '<p>new</p>');
		const leaving = old.animate([{ opacity: 1 }, { opacity: 0 }], 900);
		leaving.onfinish = () => old.remove();
	};
</script>`;

/** Pages whose scripts never come to an end of that. */
const endless = Array.from({ length: 8 }, (_, index) => `/endless${index}`);
for (const path of endless) pages[path] = inSlices(1e9);

/** Pages with a script that never ends: as they come, after a click, and when they are read. */
const frozen = sample(['/frozenAtOnce', '/frozenByClick', '/frozenLate']);

const busy = 'for (;;);';
Object.assign(pages, {
	'/cookie':
		'<p></p><button>Nothing</button><script>document.querySelector("p").append(document.cookie)</script>',
	'/frozenAtOnce': `<p></p><script>document.cookie = 'cookie=kept'; ${busy}</script>`,
	'/frozenByClick': `<p></p><button onclick="${busy}">Freeze</button>`,
	'/frozenLate': `<button onclick="setTimeout(() => { ${busy} }, 1500)">Freeze</button>`,
});

/** A task that opens these pages one by one and reads a row of each. */
const reading = (name: string, ...paths: string[]) => {
	const urls = paths.map((path) => site.baseUrl + path);
	const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [eachPage], { page: 'browser', requestsPerHost: 3 });
};

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/lateData') await sleep(2_600);
		return pages[url.pathname] ?? { status: 404 };
	});
	service = await startService({
		tasks: {
			rising: reading('rising', '/rising'),
			clock: reading('clock', '/clock'),
			clicks: task(
				'clicks',
				[
					step('navigate', { url: `${site.baseUrl}/clock` }),
					loop({ loopType: 'count', times: 10 }, [
						step('click', { selector: 'button' }),
						extract({ Text: 'p' }),
					]),
				],
				{ page: 'browser' },
			),
			...Object.fromEntries(
				works.map((work) => {
					const [read, again] = [extract({ Loaded: 'p' }), extract({ Clicked: 'p' })];
					const url = `${site.baseUrl}/slices${work}`;
					const click = step('click', { selector: 'button' });
					const steps = [step('navigate', { url }), read, click, again];
					return [`slices${work}`, task(`slices ${work}`, steps, { page: 'browser' })];
				}),
			),
			pieces: reading('pieces', ...asks.map((_, index) => `/pieces${index}`)),
			late: task(
				'late',
				[
					step('navigate', { url: `${site.baseUrl}/late` }),
					step('click', { selector: 'button' }),
					extract({ Text: {} }, 'p'),
				],
				{ page: 'browser' },
			),
			endless: reading('endless', ...endless),
			frozen: task(
				'frozen',
				[
					loop(
						{
							loopType: 'list',
							listType: 'urlList',
							urls: frozen.flatMap((path) => [site.baseUrl + path, `${site.baseUrl}/cookie`]),
						},
						[
							step('navigate', { useLoopItem: true }),
							step('click', { selector: 'button' }),
							extract({ Text: {} }, 'p'),
						],
					),
				],
				{ page: 'browser', timeout: 5_000 },
			),
		},
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const textsOf = (rows: Record<string, string>[]) => rows.map(({ Text: shown }) => shown);

testWithBrowser('a page that changes for a while is read as it is in the end', async () => {
	expect(textsOf((await client.run(uuidOf('rising'))).rows)).toEqual(['50']);
});

testWithBrowser.each(works)(
	'a page is not read before its scripts have worked for %i ms in slices',
	async (work) => {
		const { rows } = await client.run(uuidOf(`slices ${work}`));
		expect([rows[0]?.Loaded, rows[1]?.Clicked]).toEqual(['loaded', 'clicked']);
	},
);

testWithBrowser('nor before they have worked in pieces, with turns for others', async () => {
	expect(textsOf((await client.run(uuidOf('pieces'))).rows)).toEqual(asks.map(() => 'made'));
});

testWithBrowser('what a late answer moves away is not read any more', async () => {
	expect(textsOf((await client.run(uuidOf('late'))).rows)).toEqual(['new']);
});

testWithBrowserAtLength('what is never done is waited for twice, not on each page', async () => {
	const { batch, rows } = await client.run(uuidOf('endless'));
	expect(textsOf(rows)).toEqual(endless.map(() => 'old'));
	// With the time of all eight, two side by side, it takes 51 seconds.
	const { list } = await client.batches(batch.taskID);
	expect(list[0]?.useTime).toBeLessThan(46);
});

testWithBrowserAtLength(
	'a page that changes for ever is read as it is after three seconds',
	async () => {
		const [milliseconds] = textsOf((await client.run(uuidOf('clock'))).rows);
		expect(Number(milliseconds)).toBeGreaterThan(2_000);
	},
);

testWithBrowser(
	'a page that changes for ever is waited for once, not after each click',
	async () => {
		const texts = textsOf((await client.run(uuidOf('clicks'))).rows).map(Number);
		// On a slow machine each click may take seconds, but not all of them three.
		const waits = texts.slice(1).map((text, index) => text - (texts[index] ?? 0));
		expect(Math.min(...waits)).toBeLessThan(2_800);
	},
);

testWithBrowser(
	'a page whose script never ends costs its own time-out, and no process or cookie',
	async () => {
		const watched = await sharedBrowser()?.newTab({});
		const chromium = watched?.context().browser();
		if (!chromium) throw new Error('There is no browser.');
		const renderers = () => processesOf(chromium, 'renderer');
		const before = await renderers();
		const { batch, rows } = await client.run(uuidOf('frozen'));
		expect(textsOf(rows)).toEqual(frozen.map(() => 'cookie=kept'));
		await service.logged({
			batchID: batch.batchID,
			msg: 'batch successful',
			failedPages: frozen.length,
		});
		const reasons = service.log
			.filter((line) => line.batchID === batch.batchID && 'try' in line)
			.map(({ reason }) =>
				String(reason)
					.replace(/:[^:]*$/, '')
					.replace(site.baseUrl, ''),
			);
		expect(reasons).toEqual(frozen.map((path) => `${path} did not answer within 5 seconds`));
		// Thirty seconds are what the browser's own limits give each page.
		expect(batch.useTime).toBeLessThan(frozen.length * 30);
		while ((await renderers()).some((id) => !before.includes(id))) await sleep(50);
		await watched?.context().close();
	},
);

const endings = [
	['a little later', 'setTimeout(() => { for (;;); }, 100)'],
	['before it has come', 'for (;;);'],
];
testWithBrowser.each(sample(endings))(
	'a page whose script never ends is given up: %s',
	async (_when, script) => {
		pages['/frozen'] = `<p>frozen</p><script>${script}</script>`;
		const tab = await sharedBrowser()?.newTab({});
		if (!tab) throw new Error('There is no browser.');
		const pulse = new Pulse(tab, await IsolatedWorld.of(tab), { timeout: 2_000 });
		const reading = pulse.during(async () => {
			await tab.goto(`${site.baseUrl}/frozen`, { waitUntil: 'commit' });
			await tab.waitForTimeout(500);
			return tab.locator('p').textContent();
		});
		await expect(reading).rejects.toThrow(
			`${site.baseUrl}/frozen did not answer within 2 seconds: its scripts`,
		);
		await tab.context().close();
	},
);

/** The identifiers of the processes of a browser that are of this type. */
async function processesOf(chromium: Browser, type: string): Promise<number[]> {
	const session = await chromium.newBrowserCDPSession();
	const { processInfo } = await session.send('SystemInfo.getProcessInfo');
	await session.detach();
	return processInfo.filter((each) => each.type === type).map(({ id }) => id);
}

testWithBrowser.each([
	['that is to come', 'renderer', false],
	['that is there', 'renderer', true],
	['of a browser that gets none', 'browser', false],
])(
	'a page is not to blame for its silence where the machine gives no processor: one %s',
	async (_which, type, hasCome) => {
		const tab = await sharedBrowser()?.newTab({});
		const chromium = tab?.context().browser();
		if (!tab || !chromium) throw new Error('There is no browser.');
		const hangs = await Hangs.of(chromium);
		const pulse = new Pulse(tab, await IsolatedWorld.of(tab), {
			timeout: 4_000,
			watchWork: () => hangs.watchWork(),
		});
		const late = new PageError('late', { outage: { of: 'network', isSlow: true } });
		const ids = await processesOf(chromium, type);
		for (const id of ids) process.kill(id, 'SIGSTOP');
		try {
			const deadline = performance.now() + 1_000;
			const coming = pulse.during(() => sleep(2_000).then(() => Promise.reject(late)), {
				deadline,
				hasCome,
			});
			await expect(coming).rejects.toBe(late);
		} finally {
			for (const id of ids) process.kill(id, 'SIGCONT');
		}
		await tab.context().close();
	},
);
