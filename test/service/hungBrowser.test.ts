import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { signalBrowser, signalDrawing, signalPages } from '../support/service/signalBrowser';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that keep the browser from answering, which all tasks share, and pages that only wait for it.

let site: Site;
let service: RunningService;
let client: CloudClient;

/** Emits the path of each request to the site. */
const askedFor = new EventEmitter();

const pages: Record<string, string> = {
	'/flood': `<p>flood</p><script>
		let times = 0;
		setInterval(() => {
			for (let each = 0; each < 20; each += 1)
				history.replaceState(0, '', '?' + times++ + 'x'.repeat(1e6));
		}, 5);
	</script>`,
	'/large': `<p>large</p><script>
		fetch('/page0', { method: 'POST', body: 'a'.repeat(25e6) });
	</script>`,
	'/addresses': `<p>still</p><script>setInterval(() => {
		for (let each = 0; each < 300; each += 1) history.replaceState(0, '', '#' + each);
	}, 5)</script>`,
	'/leaving': `<ul><li>old</li></ul><button>New</button><script>
		const list = document.querySelector('ul');
		document.querySelector('button').onclick = async () => {
			const rows = await (await fetch('/rows')).text();
			for (const row of list.children)
				row.animate({ height: ['1em', '0'] }, 500).onfinish = () => row.remove();
			list.insertAdjacentHTML('beforeend', rows);
			new Image().src = '/leave';
		};
	</script>`,
	'/rows': '<li>new</li>',
	'/there': `<p>there</p><script>onload = () => fetch('/here')</script>`,
	'/here': '',
	'/errors': `<p>0</p><script>
		const shown = document.querySelector('p').firstChild;
		const count = () => (shown.data = Number(shown.data) + 1);
		onerror = (message) => message.includes('thrown') && count();
		onunhandledrejection = ({ reason }) => reason.message === 'rejected' && count();
		Promise.reject(new Error('rejected'));
		setTimeout(() => { throw new Error('thrown'); });
	</script>`,
};
const numbers = Array.from({ length: 5 }, (_, index) => index);
for (const number of numbers) pages[`/page${number}`] = `<p>${number}</p>`;

const reading = (name: string, paths: string[], settings: object = {}, ...waits: object[]) => {
	const urls = paths.map((path) => site.baseUrl + path);
	const arrives = step('navigate', { useLoopItem: true });
	const steps = [arrives, ...waits, extract({ Text: {} }, 'p')];
	const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
	return task(name, [eachPage], { page: 'browser', requestsPerHost: 1, ...settings });
};

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		askedFor.emit(url.pathname);
		if (url.pathname.startsWith('/page')) await sleep(200);
		if (url.pathname === '/leave') framesHeld = holdFrames();
		return pages[url.pathname] ?? { status: 404 };
	});
	await new Promise<void>((resolve) => hints.listen(0, '127.0.0.1', resolve));
	const { port } = hints.address() as AddressInfo;
	pages['/hints'] = [1, 2, 3, 4, 5, 6]
		.map((n) => `<img src="http://127.0.0.1:${port}/${n}"><p>${n}</p>`)
		.join('');
	const paths = numbers.map((number) => `/page${number}`);
	service = await startService({
		tasks: {
			waiting: reading('waiting', paths, { timeout: 3_000 }, step('wait', { milliseconds: 1_000 })),
			starved: reading(
				'starved',
				['/there'],
				{ timeout: 3_000, tries: 1 },
				step('wait', { milliseconds: 1_000 }),
			),
			flood: reading('flood', ['/flood', '/page1'], {}, step('wait', { milliseconds: 5_000 })),
			large: reading('large', ['/large', '/page1'], {}, step('wait', { milliseconds: 20_000 })),
			addresses: reading('addresses', ['/addresses'], {}, step('wait', { milliseconds: 5_000 })),
			hints: reading('hints', ['/hints'], { timeout: 3_000, tries: 1 }),
			'beside hints': reading('beside hints', paths, { timeout: 3_000, tries: 10 }),
			errors: reading('errors', ['/errors']),
			leaving: task(
				'leaving',
				[
					step('navigate', { url: `${site.baseUrl}/leaving` }),
					step('click', { selector: 'button' }),
					extract({ Text: {} }, 'li'),
				],
				{ page: 'browser' },
			),
		},
		env: browserOfUsers,
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
	hints.close();
});

/** Answers that only say that another one comes, which keep what asks for pages busy as long as they come. */
const hints = createServer((socket) => {
	const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(500);
	const goOn = () => {
		while (socket.writable && socket.write(hint));
	};
	socket
		.once('data', goOn)
		.on('drain', goOn)
		.on('error', () => undefined);
});

const textsOf = (rows: Record<string, string>[]) => rows.map(({ Text: shown }) => shown);

testWithBrowser('a page that fails while the browser hangs is read when it goes on', async () => {
	const batch = await client.start(uuidOf('waiting'));
	await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	await sleep(700);
	signalBrowser(service, 'SIGSTOP');
	await sleep(8_000);
	signalBrowser(service, 'SIGCONT');
	const ended = await client.waitFor(batch, ({ status }) => status >= 3);
	expect(textsOf(await client.rowsOf(ended))).toEqual(numbers.map(String));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});

testWithBrowser('a page that the machine gives no processor is waited for', async () => {
	const isThere = once(askedFor, '/here');
	const batch = await client.start(uuidOf('starved'));
	await isThere;
	signalPages(service, 'SIGSTOP');
	// Longer than a page of this task may keep itself busy, which is 3 seconds and 2 of grace.
	await sleep(8_000);
	signalPages(service, 'SIGCONT');
	const ended = await client.waitFor(batch, ({ status }) => status >= 3);
	expect(textsOf(await client.rowsOf(ended))).toEqual(['there']);
});

testWithBrowser.each([
	['flood', '24|4'],
	['large', '24'],
])('a page that floods the browser is given up, and no other one: %s', async (name, size) => {
	const { batch, rows } = await client.run(uuidOf(name));
	expect(textsOf(rows)).toEqual(['1']);
	const skipped = { batchID: batch.batchID, msg: 'page failed, skipped' };
	await service.logged(skipped);
	// On a busy machine, the browser hangs before it tells 24 MB.
	const failed = service.log.find(
		({ batchID, msg }) => batchID === skipped.batchID && msg === skipped.msg,
	);
	expect(failed?.reason).toMatch(
		RegExp(`${name}.* was given up: it has made the browser tell more than (${size}) MB`, 's'),
	);
	expect(failed?.reason).toMatch(/read it with "page": "http"/);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 1 });
});

testWithBrowser('a page that changes its address again and again floods nothing', async () => {
	expect(textsOf((await client.run(uuidOf('addresses'))).rows)).toEqual(['still']);
});

testWithBrowser(
	'a site that answers without end that its answer comes holds up no other',
	async () => {
		const flooded = await client.start(uuidOf('hints'));
		await client.waitFor(flooded, ({ status }) => status >= 3);
		const { rows } = await client.run(uuidOf('beside hints'));
		expect(textsOf(rows)).toEqual(numbers.map(String));
	},
);

let framesHeld: Promise<void> | undefined;

/** For longer than rows take to leave, once they have begun to. */
async function holdFrames(): Promise<void> {
	await sleep(100);
	signalDrawing(service, 'SIGSTOP');
	await sleep(800);
	signalDrawing(service, 'SIGCONT');
}

testWithBrowser(
	'rows that leave are gone before others are read, however late frames come',
	async () => {
		const { rows } = await client.run(uuidOf('leaving'));
		await framesHeld;
		expect(textsOf(rows)).toEqual(['new']);
	},
);

testWithBrowser('a page hears of its own errors', async () => {
	expect(textsOf((await client.run(uuidOf('errors'))).rows)).toEqual(['2']);
});
