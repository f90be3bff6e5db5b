import { hungBrowser, pageErrorOf } from '../../service/src/pages/browser/failures.ts';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { signalBrowser } from '../support/service/signalBrowser';
import { startService } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

/** Pages of which one ends the browser, at times: as if another page had taken its memory. */
let endings = 0;
let end: () => void = () => undefined;

async function runWith(most: number) {
	endings = 0;
	const site = await startSite(({ url }) => {
		if (url.pathname === '/end' && endings < most) {
			endings += 1;
			end();
		}
		return `<p>${url.pathname}</p><script>fetch('/end')</script>`;
	});
	const urls = [1, 2].map((page) => `${site.baseUrl}/${page}`);
	const pages = loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: {} }, 'p'),
	]);
	const once = task('once', [pages], { page: 'browser', tries: 1 });
	const service = await startService({ tasks: { once }, env: browserOfUsers });
	end = () => signalBrowser(service, 'SIGKILL');
	const client = cloudClient(service);
	const { rows } = await client.run(uuidOf('once'));
	await service.stop();
	await site.stop();
	return rows.map(({ Text }) => Text);
}

testWithBrowser(
	'the end of a browser that all share costs a page none of its tries, twice',
	async () => {
		expect(await runWith(2)).toEqual(['/1', '/2']);
		// It may be this page that ends it.
		expect(await runWith(3)).toEqual(['/2']);
	},
);

testWithBrowser('with one try, a form is sent once, even if its browser ends by then', async () => {
	let sent = 0;
	let kill: () => void = () => undefined;
	const site = await startSite(({ method }) => {
		if (method !== 'POST') return '<form method="post"><button>Order</button></form>';
		sent += 1;
		kill();
		return '<p>done</p>';
	});
	const steps = [
		step('navigate', { url: site.baseUrl }),
		step('click', { selector: 'button' }),
		extract({ Text: {} }, 'p'),
	];
	const form = task('form', steps, { page: 'browser', tries: 1 });
	const service = await startService({ tasks: { form }, env: browserOfUsers });
	kill = () => signalBrowser(service, 'SIGKILL');
	const { rows } = await cloudClient(service).run(uuidOf('form'));
	await service.stop();
	await site.stop();
	expect({ sent, rows }).toEqual({ sent: 1, rows: [] });
});

test('so does a page that fails while it hangs', () => {
	expect(hungBrowser(new Error('late')).outage).toEqual({ of: 'browser', isShared: true });
});

test('so does one whose answer was thrown away as another page asks for too much', () => {
	const said = 'request.response: The object has been collected to prevent unbounded heap growth.';
	const { outage } = pageErrorOf(new Error(said), { gone: undefined });
	expect(outage).toEqual({ of: 'browser', isShared: true });
});
