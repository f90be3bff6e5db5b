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
	'/plain': '<p>plain</p>',
	'/slow': '<p>slow</p>',
	'/frozen': '<p>frozen</p><script>for (;;);</script>',
	'/freezing': '<p>freezing</p><script>setTimeout(() => { for (;;); }, 100)</script>',
	'/freezingLate': '<p>read in time</p><script>setTimeout(() => { for (;;); }, 4000)</script>',
};

/** A task that opens these pages one by one and reads a row of each. */
const reading = (name: string, ...paths: string[]) => {
	const urls = paths.map((path) => site.baseUrl + path);
	const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [eachPage], { page: 'browser', requestsPerHost: 3 });
};

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 8000));
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
					loop({ loopType: 'count', times: 10 }, [step('click', { selector: 'button' })]),
				],
				{ page: 'browser' },
			),
			frozen: reading(
				'frozen',
				...['/plain', '/frozen', '/plain'],
				...['/plain', '/freezing', '/plain'],
				...['/plain', '/freezingLate', '/slow'],
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

testWithBrowser('a page whose script never ends is given up, and costs no other page', async () => {
	const { batch, rows } = await client.run(uuidOf('frozen'), { nodeCount: 3, jobCount: 3 });
	expect(textsOf(rows)).toEqual([
		...['plain', 'plain'],
		...['plain', 'plain'],
		...['plain', 'read in time', 'slow'],
	]);
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 2 });
	const failures = service.log.filter((line) => line.batchID === batchID && 'try' in line);
	const reasons = failures.map(({ reason }) => String(reason).replace(/:[^:]*$/, '.'));
	expect(reasons.sort()).toEqual([
		`${site.baseUrl}/freezing did not answer within 30 seconds.`,
		`${site.baseUrl}/frozen did not answer within 30 seconds.`,
	]);
});
