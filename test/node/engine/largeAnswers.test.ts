import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { runNode, runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';

const megabyte = 1024 * 1024;

/** A service whose answers never end; `sent` counts the bytes of each request's answer. */
async function startEndlessService() {
	const sent: number[] = [];
	const server: Server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const request = sent.push(0) - 1;
		pour(response, (bytes) => (sent[request] += bytes));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		credential: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' },
		sent,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function pour(response: ServerResponse, count: (bytes: number) => void): void {
	const piece = Buffer.alloc(megabyte, ' ');
	const write = () => {
		while (!response.destroyed) {
			count(piece.length);
			if (!response.write(piece)) return;
		}
	};
	response.on('drain', write);
	write();
}

describe('a service that answers without an end', () => {
	let endless: Awaited<ReturnType<typeof startEndlessService>>;

	beforeEach(async () => {
		endless = await startEndlessService();
	});

	afterEach(async () => {
		await endless.stop();
	});

	test('is read no further than 64 MB, and asked for smaller pages before the node gives up', async () => {
		const { error } = await runNode({
			credential: endless.credential,
			parameters: { operation: 'listBatches', taskId: 't', limit: 4 },
		});
		expect(error?.message).toBe('The answer is too large');
		expect(error?.description).toContain('larger than 64 MB');
		expect(endless.sent).toHaveLength(3);
		for (const bytes of endless.sent) expect(bytes).toBeLessThan(128 * megabyte);
	});

	test('is not asked to start a task again', async () => {
		const { error } = await runNode({
			credential: endless.credential,
			parameters: { operation: 'start', taskId: 't' },
		});
		expect(error?.message).toBe('The answer is too large');
		expect(error?.description).toContain('The task may have been started anyway');
		expect(endless.sent).toHaveLength(1);
	});
});

describe('pages larger than 64 MB', () => {
	const service = useScriptedService();

	const largeRows = ['a', 'b', 'c'].map((letter) => `{"Text":"${letter.repeat(22 * megabyte)}"}`);
	const letters = (rows: Array<Record<string, unknown>>) =>
		rows.map(({ Text }) => String(Text as string).slice(0, 1));

	test('are asked for in halves until they fit', async () => {
		service.addBatch({ rows: largeRows });
		const { rows, error } = await runOn(service, {
			operation: 'getData',
			options: { pageSize: 4, concurrency: 1 },
		});
		expect(error).toBeUndefined();
		expect(letters(rows)).toEqual(['a', 'b', 'c']);
		expect(service.sentTo('data').map(({ query }) => query.size)).toEqual(['4', '2', '2']);
	});

	test('are an error for a deduplication ID, because the service does not send them again', async () => {
		service.addBatch({ rows: largeRows });
		const { error } = await runOn(service, {
			operation: 'getData',
			options: { pageSize: 4, deduplication: 'service', deduplicationId: 'd' },
		});
		expect(error?.message).toBe('The answer is too large');
		expect(error?.description).toContain('new deduplication ID');
		expect(service.sentTo('data')).toHaveLength(1);
	});
});
