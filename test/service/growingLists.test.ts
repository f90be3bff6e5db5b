import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { answerSockets } from '../support/service/sockets';
import { startService, type RunningService } from '../support/inProcess/startService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that grow by a button, and are read behind the loop that clicks it.

const lastPart = 4;
const rowsOf = (part: number) => [`${part} a`, `${part} b`];
const all = [1, 2, 3, 4].flatMap(rowsOf);
/** Milliseconds for a socket to answer: longer than a click waits for what has not been asked for. */
const answerTime = 6_000;

/** What a click on the button does: `add(part)` adds these rows, `part` is the last one that is there. */
const buttons: Record<string, string> = {
	'adds its last part again and again': `add(part === ${lastPart} ? part : ++part)`,
	'shows the last part only': `main.innerHTML = ''; add(++part); more.hidden = part === ${lastPart}`,
	'gets its rows by a socket': `socket.send('more')`,
	'adds to it': `add(++part); more.hidden = part === ${lastPart}`,
	'says otherwise what is left': `add(++part); more.hidden = part === ${lastPart};
		if (part === ${lastPart - 1}) more.textContent = 'See the last 2 products'`,
	'may lead elsewhere': `add(++part); if (part === ${lastPart - 1}) more.textContent = 'View all 8 products'`,
	'shows an error in its place, though what was refused comes later': `const again = () => fetch('/part?' + (part + 1));
		again().then(async (answer) => {
			if (answer.ok) { add(++part); more.hidden = part === ${lastPart}; return; }
			await again();
			main.innerHTML = '<h1>503</h1>';
			more.remove();
			history.pushState(null, '', '?part=' + (part + 1));
		})`,
	'leads elsewhere in the end': `add(++part);
		if (part === ${lastPart}) { more.textContent = 'View all products'; more.onclick = () => (location = '/'); }`,
};
const pageOf = (name: string) => `<body><main></main><button id="more">Load more</button><script>
	const main = document.querySelector('main');
	let part = 1;
	const add = (each) => ['a', 'b'].forEach((row) =>
		main.insertAdjacentHTML('beforeend', '<p>' + each + ' ' + row + '</p>'));
	add(1);
	const socket = ${name.endsWith('socket')} && new WebSocket('ws://' + location.host);
	if (socket) socket.onmessage = () => { add(++part); more.hidden = part === ${lastPart}; };
	more.onclick = () => { ${buttons[name]}; };
</script></body>`;

let site: Server;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	let refused = 0;
	site = createServer(({ url = '' }, response) => {
		if (url === '/part?3' && refused++ === 0) response.statusCode = 503;
		if (url.startsWith('/part')) return response.end();
		const [, count] = /^\/all\?n=(\d)$/.exec(url) ?? [];
		if (count !== undefined) {
			response.setHeader('content-type', 'text/html');
			const more =
				Number(count) < 2 * lastPart ? `<a id="more" href="?n=${Number(count) + 2}">More</a>` : '';
			return response.end(`<p>${all.slice(0, Number(count)).join('</p><p>')}</p>${more}`);
		}
		const name = Object.keys(buttons).find((each) => url.split('?')[0] === `/${uuidOf(each)}`);
		response.setHeader('content-type', 'text/html');
		response.end(name === undefined ? '<p>elsewhere</p>' : pageOf(name));
	});
	answerSockets(site, (_url, send) => () => setTimeout(() => send('more'), answerTime));
	site.listen(0, '127.0.0.1');
	await once(site, 'listening');
	const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const clicks = (inside: object) =>
		loop({ loopType: 'page', selector: '#more', timesMode: 'all' }, [inside]);
	const tasks = Object.keys(buttons).map((name) =>
		task(
			name,
			[
				step('navigate', { url: `${base}/${uuidOf(name)}` }),
				...(name === 'adds to it'
					? [clicks(extract({ Text: {} }, 'p'))]
					: [clicks(step('wait', { selector: 'main p' })), extract({ Text: {} }, 'p')]),
			],
			{ page: 'browser', requestsPerHost: 4 },
		),
	);
	for (const page of ['http', 'browser']) {
		const steps = [
			step('navigate', { url: `${base}/all?n=2` }),
			clicks(extract({ Text: {} }, 'p')),
		];
		tasks.push(task(`by links ${page}`, steps, { page, requestsPerHost: 4 }));
	}
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
		env: { SERVICE_AGENTS: '4' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	site?.closeAllConnections();
	site?.close();
});

async function run(name: string) {
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	return { texts: rows.map(({ Text }) => Text), warnings };
}

concurrentTestWithBrowser('one that shows nothing new for ten rounds is at its end', async () => {
	const { texts, warnings } = await run('adds its last part again and again');
	const again = Array.from({ length: 10 }, () => rowsOf(lastPart)).flat();
	expect(texts).toEqual([...all, ...again]);
	const ended = { msg: 'loop ended', rounds: 14, reason: 'no new row in 10 rounds' };
	expect(warnings).toEqual([expect.objectContaining(ended)]);
});

concurrentTestWithBrowser('of one that holds a part of its rows, the log warns', async () => {
	const { texts, warnings } = await run('shows the last part only');
	expect(texts).toEqual(rowsOf(lastPart));
	expect(warnings).toEqual([expect.objectContaining({ msg: 'list holds a part' })]);
});

concurrentTestWithBrowser.each(['adds to it', 'by links http', 'by links browser'])(
	'of one that is read in each round, the log warns once: %s',
	async (name) => {
		const { texts, warnings } = await run(name);
		expect(texts).toHaveLength(2 + 4 + 6 + 8);
		expect(warnings).toEqual([
			expect.objectContaining({
				msg: 'list read again',
				reason: expect.stringMatching(/^#more adds to the list, or leaves/) as string,
			}),
		]);
	},
);

concurrentTestWithBrowser.each([
	'gets its rows by a socket',
	'says otherwise what is left',
	'leads elsewhere in the end',
	'shows an error in its place, though what was refused comes later',
])('one is read whole where its button %s', async (name) => {
	expect((await run(name)).texts).toEqual(all);
});

concurrentTestWithBrowser('of one whose button may lead elsewhere, the log warns', async () => {
	const { texts, warnings } = await run('may lead elsewhere');
	expect(texts).toEqual(all.slice(0, -2));
	const reason = expect.stringMatching(
		/^#more says "View all 8 products", and not "Load more"/,
	) as string;
	expect(warnings).toEqual([expect.objectContaining({ msg: 'loop by page ended', reason })]);
});
