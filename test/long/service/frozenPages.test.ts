import { startService, type RunningService } from '../../support/inProcess/startService';
import { testWithBrowser } from '../../support/service/browser';
import { cloudClient } from '../../support/service/cloudClient';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

// Pages whose scripts never end, with the thirty seconds that the service gives them.

let site: Site;
let service: RunningService;

const pages: Record<string, string> = {
	'/plain': '<p>plain</p>',
	'/slow': '<p>slow</p>',
	'/frozen': '<p>frozen</p><script>for (;;);</script>',
	'/freezing': '<p>freezing</p><script>setTimeout(() => { for (;;); }, 100)</script>',
	'/freezingLate': '<p>read in time</p><script>setTimeout(() => { for (;;); }, 4000)</script>',
};

const paths = [
	...['/plain', '/frozen', '/plain'],
	...['/plain', '/freezing', '/plain'],
	...['/plain', '/freezingLate', '/slow'],
];

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 8000));
		return pages[url.pathname] ?? { status: 404 };
	});
	const urls = paths.map((path) => site.baseUrl + path);
	const steps = [step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	// With a delay, no page comes ahead: each comes in the place of the one before.
	const frozen = task('frozen', [eachPage], { page: 'browser', requestsPerHost: 3, delay: 1 });
	service = await startService({ tasks: { frozen } });
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const textsOf = (rows: Record<string, string>[]) => rows.map(({ Text: shown }) => shown);

testWithBrowser('a page whose script never ends is given up, and costs no other page', async () => {
	const { batch, rows } = await cloudClient(service).run(uuidOf('frozen'), {
		nodeCount: 3,
		jobCount: 3,
	});
	expect(textsOf(rows)).toEqual([
		...['plain', 'plain'],
		...['plain', 'plain'],
		...['plain', 'read in time', 'slow'],
	]);
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 2 });
	const failures = service.log.filter((line) => line.batchID === batchID && 'try' in line);
	const reasons = failures.map(({ reason }) => String(reason).replace(/ seconds.*$/, ' seconds'));
	expect(reasons.sort()).toEqual([
		`${site.baseUrl}/freezing did not answer within 30 seconds`,
		`${site.baseUrl}/frozen did not answer within 30 seconds`,
		// While a page is awaited, nobody can tell that the one before it freezes: it comes at the second try.
		`${site.baseUrl}/slow did not load within 30 seconds`,
	]);
});
