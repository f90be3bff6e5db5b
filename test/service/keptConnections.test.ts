import { createServer, type Socket } from 'node:net';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { listen } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// A site that closes each connection when a second request comes on it, as those do whose patience ends just then.

const numbers = ['1', '2', '3', '4', '5', '6'];
const form = '<form method="post" action="/fin/ordered"><button>Order</button></form>';
/** What was asked for, in that order. */
const asked: string[] = [];
const taken = new WeakSet<Socket>();

const site = createServer((socket) => {
	socket.on('error', () => socket.destroy());
	socket.on('data', (head) => {
		const [method, path = ''] = String(head).split(' ');
		asked.push(`${method} ${path}`);
		// A form as well where its connection was not kept, as on a very busy machine.
		if (taken.has(socket) || method === 'POST')
			return void (path.startsWith('/rst') ? socket.resetAndDestroy() : socket.end());
		taken.add(socket);
		const body = path.endsWith('/form') ? form : `<p>${path.slice('/fin/'.length)}</p>`;
		const headers = `Content-Type: text/html\r\nContent-Length: ${body.length}`;
		socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${body}`);
	});
});

let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	const base = `http://127.0.0.1:${await listen(site)}`;
	const each = (how: string) => {
		const urls = numbers.map((number) => `${base}/${how}/${number}`);
		const steps = [step('navigate', { useLoopItem: true }), extract({ Text: 'p' })];
		const list = loop({ loopType: 'list', listType: 'urlList', urls }, steps);
		return task(how, [list], { page: 'http', tries: 1 });
	};
	const order = [
		step('navigate', { url: `${base}/fin/form` }),
		step('click', { selector: 'button' }),
		extract({ Text: 'p' }),
	];
	const tasks = [each('fin'), each('rst'), task('order', order, { page: 'http', tries: 1 })];
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
	});
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	site.close();
});

test.each(['fin', 'rst'])(
	'a page is asked for at once on another connection, and none of its tries is gone: %s',
	async (how) => {
		const { batch, rows } = await client.run(uuidOf(how));
		expect(rows.map(({ Text }) => Text)).toEqual(numbers);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		const all = asked.filter((each) => each.startsWith(`GET /${how}/`));
		expect(all.length).toBeGreaterThan(numbers.length);
		expect(new Set(all).size).toBe(numbers.length);
	},
);

test('a form is not sent again, since it may have been counted', async () => {
	const { batch, rows } = await client.run(uuidOf('order'));
	expect(rows).toEqual([]);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 1 });
	expect(asked.filter((each) => each.startsWith('POST'))).toEqual(['POST /fin/ordered']);
});
