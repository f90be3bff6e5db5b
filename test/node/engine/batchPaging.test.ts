import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, refusal } from '../../support/scriptedService/scriptedAnswers';
import type { WrittenAnswer } from '../../support/scriptedService/scriptedAnswers';
import type { SeenRequest } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

describe('the list of batches', () => {
	const service = useScriptedService();

	const list = async (parameters: INodeParameters = {}) =>
		await runOn(service, { operation: 'listBatches', returnAll: true, ...parameters });

	const addBatches = (count: number) => {
		for (let n = 0; n < count; n++) service.addBatch();
	};

	/** The identifiers as they must come: newest first. */
	const newestFirst = () => service.batches.map(({ batchID }) => batchID).reverse();

	test.each(['clamp', 'clampAndEcho', 'refuse'] as const)(
		'is whole when the service allows smaller pages only (%s)',
		async (oversize) => {
			Object.assign(service.rules, { oversize, maxSize: 7 });
			addBatches(50);
			const { rows } = await list();
			expect(rows.map(({ batchID }) => batchID)).toEqual(newestFirst());
		},
	);

	test('needs one request where all batches fit on a page', async () => {
		addBatches(99);
		expect((await list()).rows).toHaveLength(99);
		expect(service.sentTo('batches')).toHaveLength(1);
	});

	test.each<[string, (() => WrittenAnswer) | undefined]>([
		['is empty', undefined],
		['is refused', () => refusal(9000001, 'There is no such page')],
		['is not found', () => refusal(9000004, 'There is no such page')],
		['is the last one', () => page([], { page: 1, size: 100, total: 100 })],
	])('is whole where the page behind a full one %s', async (_what, answer) => {
		addBatches(100);
		service.script('batches', ({ query }) => (query.page === '2' ? answer?.() : undefined));
		const { rows, error } = await list();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(100);
		expect(service.sentTo('batches').map(({ query }) => query.page)).toEqual(['1', '2']);
	});

	test('has each batch once when runs start while it is read', async () => {
		addBatches(250);
		const expected = newestFirst();
		service.script('batches', () => {
			if (service.sentTo('batches').length > 1) addBatches(3);
			return undefined;
		});
		const { rows } = await list();
		expect(rows.map(({ batchID }) => batchID)).toEqual(expected);
	});

	/** Each later page begins with the last two of page 1, and lacks its own last two. */
	const overlap = ({ query }: SeenRequest) => {
		const [number, size] = [Number(query.page), Number(query.size)];
		const all = [...service.batches].reverse().map(onTheWire);
		const from = (number - 1) * size;
		const repeated = number === 1 ? [] : all.slice(size - 2, size);
		const own = all.slice(from, from + size - repeated.length);
		return page([...repeated, ...own], { total: all.length });
	};

	test.each([
		[
			true,
			600,
			'The service counts 10 more batches of task ID than it lists: some may be missing here.',
		],
		[
			false,
			300,
			'The service listed 6 of the batches of task ID twice: as many others may be missing here.',
		],
	])(
		'is said to lack some where pages repeat others: return all %s, limit %i',
		async (returnAll, limit, said) => {
			addBatches(600);
			service.script('batches', overlap);
			const { hints } = await list({ returnAll, limit });
			expect(hints).toEqual([said.replace('ID', service.taskID)]);
		},
	);

	test('is whole up to a limit when runs start while it is read, without a note', async () => {
		addBatches(400);
		const expected = newestFirst().slice(0, 250);
		service.script('batches', () => {
			if (service.sentTo('batches').length > 1) addBatches(1);
			return undefined;
		});
		const { rows, hints } = await list({ returnAll: false, limit: 250 });
		expect(rows.map(({ batchID }) => batchID)).toEqual(expected);
		expect(hints).toEqual([]);
	});

	test('says nothing of repeats where the limit is reached on a page that is whole', async () => {
		Object.assign(service.rules, { oversize: 'clamp', maxSize: 30 });
		addBatches(200);
		const { rows, hints } = await list({ returnAll: false, limit: 70 });
		expect(rows.map(({ batchID }) => batchID)).toEqual(newestFirst().slice(0, 70));
		expect(hints).toEqual([]);
	});

	test.each([0, 30, 100, 120, 1_000])('is whole when its total says %i', async (total) => {
		addBatches(130);
		service.script('batches', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const all = [...service.batches].reverse().map(onTheWire);
			return page(all.slice((number - 1) * size, number * size), { total });
		});
		const { rows } = await list();
		expect(rows.map(({ batchID }) => batchID)).toEqual(newestFirst());
	});

	test.each([
		[19, 10],
		[10, 19],
	])('has the fuller one of two answers of a page: %i and %i of 20', async (first, again) => {
		addBatches(120);
		const isSecond = ({ query }: SeenRequest) => query.page === '2';
		for (const count of [first, again]) {
			const oldest = [...service.batches].reverse().slice(100).map(onTheWire);
			service.script(isSecond, page(oldest.slice(0, count), { total: 120 }), { times: 1 });
		}
		const { rows, hints } = await list();
		expect(rows).toHaveLength(119);
		expect(hints.join()).toContain('counts 1 more batches');
	});

	test('ends where a service sends the same page again and again', async () => {
		addBatches(100);
		service.script('batches', () => page([...service.batches].map(onTheWire), { total: 0 }));
		expect((await list()).rows).toHaveLength(100);
		expect(service.sentTo('batches')).toHaveLength(2);
	});

	test('a page that was not asked for is an error', async () => {
		addBatches(250);
		service.script('batches', page([], { page: 1, total: 250 }), { skip: 1 });
		const { error } = await list();
		expect(error?.message).toBe('The service sent page 1 when page 2 was asked for');
		expect(error?.description).toContain('Report this to the service');
	});

	test('a service that refuses every size is an error with its own words', async () => {
		service.script('batches', refusal(9000001, 'size must be even'));
		const { error } = await list({ returnAll: false, limit: 4 });
		expect(error?.description).toContain('size must be even');
		expect(service.sentTo('batches').map(({ query }) => query.size)).toEqual(['4', '2', '1']);
	});
});
