import { runNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { cut, html, refusal } from '../../support/scriptedService/scriptedAnswers';

describe('the scripted service', () => {
	const service = useScriptedService();

	const get = async (path: string) => {
		const response = await fetch(service.baseUrl + path, {
			headers: { authorization: `Bearer ${service.credential.apiKey}` },
		});
		return { status: response.status, body: await response.text() };
	};

	const data = async (query: string) => {
		const { body } = await get(`/cloud/data?preview=false&${query}`);
		const answer = JSON.parse(body) as { data: { list: string[]; pagination: { total: number } } };
		return answer.data;
	};

	test('writes identifiers beyond 2^53 as integers', async () => {
		service.addBatch({ batchID: 9223372036854775807n });
		const { body } = await get(`/cloud/batches?page=1&size=5&taskID=${service.taskID}&orderBy=0`);
		expect(body).toContain('"batchID":9223372036854775807,');
	});

	test('drops duplicates after cutting pages: pages get short, the total stays', async () => {
		service.addBatch({ batchID: 1, rows: ['a', 'a', 'b', 'c'] });
		const dedup = 'batchID=1&size=2&deduplication=true&deduplicationID=d';
		expect(await data(`${dedup}&page=1`)).toMatchObject({ list: ['a'], pagination: { total: 4 } });
		expect(await data(`${dedup}&page=2`)).toMatchObject({ list: ['b', 'c'] });
		expect(await data(`${dedup}&page=1`)).toMatchObject({ list: [] });
	});

	test('drops duplicates before cutting pages: pages stay full, the total shrinks', async () => {
		service.rules.deduplication = 'beforePaging';
		service.addBatch({ batchID: 1, rows: ['a', 'a', 'b', 'c'] });
		const dedup = 'batchID=1&size=2&deduplication=true&deduplicationID=d';
		expect(await data(`${dedup}&page=1`)).toMatchObject({
			list: ['a', 'b'],
			pagination: { total: 3 },
		});
		expect(await data(`${dedup}&page=1`)).toMatchObject({ list: ['c'], pagination: { total: 1 } });
	});

	test('answers the scripted requests only, in the order of the scripts', async () => {
		service.addBatch();
		service.script('batches', refusal(9000002, 'no'), { skip: 1, times: 1 });
		service.script('batches', html(502, 'Bad gateway'), { times: 1 });
		const path = `/cloud/batches?page=1&size=5&taskID=${service.taskID}&orderBy=0`;
		const statuses = [await get(path), await get(path), await get(path)].map(
			({ status }) => status,
		);
		expect(statuses).toEqual([502, 400, 200]);
	});

	test('records what the node sends', async () => {
		service.addBatch();
		await runNode({
			parameters: { operation: 'listBatches', taskId: service.taskID, returnAll: true },
			credential: service.credential,
		});
		expect(service.requests).toEqual([
			expect.objectContaining({
				endpoint: 'batches',
				method: 'GET',
				path: '/cloud/batches',
				query: { page: '1', size: '100', taskID: service.taskID, orderBy: '0' },
			}),
		]);
		expect(service.requests[0].headers).toMatchObject({
			authorization: `Bearer ${service.credential.apiKey}`,
		});
	});

	test('cuts the connection within a body', async () => {
		service.script('all', cut(html(200, 'x'.repeat(1000))));
		await expect(get('/cloud/batches')).rejects.toThrow();
	});
});
