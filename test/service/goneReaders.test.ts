import { connect } from 'node:net';
import { once } from 'node:events';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

const large = '<div>' + 'large '.repeat(3_000) + '</div>';
const { site, service } = useSiteAndService(
	() => `${large}${'<p>row</p>'.repeat(1_000)}`,
	() => {
		const steps = [
			step('navigate', { url: `${site.baseUrl}/` }),
			extract({ Row: {}, Text: ':root div' }, 'p'),
		];
		return { tasks: { large: task('large', steps) } };
	},
);

test('who hangs up is read for no more, and keeps nothing as returned', async () => {
	const client = cloudClient(service);
	const { batch } = await client.run(uuidOf('large'));
	const { port } = new URL(service.baseUrl);
	const ids = Array.from({ length: 40 }, (_, index) => `reader ${index}`);
	const sockets = ids.map((id) => {
		const query = new URLSearchParams({
			batchID: batch.batchID,
			page: '1',
			size: '1000',
			preview: 'true',
			deduplication: 'true',
			deduplicationID: id,
		});
		const socket = connect(Number(port), '127.0.0.1');
		const lines = [
			`GET /cloud/data?${query} HTTP/1.1`,
			'Host: 127.0.0.1',
			`Authorization: Bearer ${service.apiKey}`,
			'x-cp-request-id: 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
		];
		socket.write(`${lines.join('\r\n')}\r\n\r\n`);
		return socket;
	});
	await once(sockets.at(-1) ?? process, 'connect');
	for (const socket of sockets) socket.destroy();
	let kept = 0;
	for (const deduplicationID of ids) {
		const query = { page: 1, size: 1, deduplication: true, deduplicationID };
		const { list } = await client.data(batch.batchID, query);
		kept += list.length;
	}
	// Those that were being read just then may have been read to their end.
	expect(kept).toBeGreaterThan(ids.length / 2);
}, 120_000);
