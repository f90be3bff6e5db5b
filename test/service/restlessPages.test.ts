import { IsolatedWorld } from '../../service/src/pages/browser/isolatedWorld.ts';
import { Pulse } from '../../service/src/pages/browser/pulse.ts';
import { sharedBrowser } from '../support/inProcess/sharedBrowser';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
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
			if (shown.data === '5') clearInterval(rising);
		}, 100);
	})</script></body>`,
	'/clock': `<body><p></p><button>Nothing</button><script>
		setInterval(() => (document.querySelector('p').textContent = performance.now()), 100);
	</script></body>`,
};

/** A task that opens these pages one by one and reads a row of each. */
const reading = (name: string, ...paths: string[]) => {
	const urls = paths.map((path) => site.baseUrl + path);
	const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [eachPage], { page: 'browser', requestsPerHost: 3 });
};

beforeAll(async () => {
	site = await startSite(({ url }) => pages[url.pathname] ?? { status: 404 });
	service = await startService({
		tasks: {
			rising: reading('rising', '/rising'),
			clock: reading('clock', '/clock'),
			clicks: task(
				'clicks',
				[
					step('navigate', { url: `${site.baseUrl}/clock` }),
					loop({ loopType: 'count', times: 10 }, [step('click', { selector: 'button' })]),
				],
				{ page: 'browser' },
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
	expect(textsOf((await client.run(uuidOf('rising'))).rows)).toEqual(['5']);
});

testWithBrowser('a page that changes for ever is read as it is after three seconds', async () => {
	const [milliseconds] = textsOf((await client.run(uuidOf('clock'))).rows);
	expect(Number(milliseconds)).toBeGreaterThan(2_800);
	expect(Number(milliseconds)).toBeLessThan(30_000);
});

testWithBrowser(
	'a page that changes for ever is waited for once, not after each click',
	async () => {
		// Waiting each time would take 33 seconds.
		expect((await client.run(uuidOf('clicks'))).batch.useTime).toBeLessThan(20);
	},
);

testWithBrowser.each([
	['before it has come', 'for (;;);'],
	['a little later', 'setTimeout(() => { for (;;); }, 100)'],
])('a page whose script never ends is given up: %s', async (_when, script) => {
	pages['/frozen'] = `<p>frozen</p><script>${script}</script>`;
	const { signal } = new AbortController();
	const tab = await sharedBrowser()?.newTab({}, signal);
	if (!tab) throw new Error('There is no browser.');
	const pulse = new Pulse(tab, await IsolatedWorld.of(tab), 2_000);
	const reading = pulse.during(async () => {
		await tab.goto(`${site.baseUrl}/frozen`, { waitUntil: 'commit' });
		await tab.waitForTimeout(500);
		return tab.locator('p').textContent();
	});
	await expect(reading).rejects.toThrow(
		`${site.baseUrl}/frozen did not answer within 2 seconds: its scripts`,
	);
	await tab.context().close();
});
