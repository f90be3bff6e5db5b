import type { SeededBatch } from '../../../service/src/store/batchStore.ts';
import { describeOnBothDatabases } from './bothDatabases';
import { rows, taskID, window } from './newBatch';

const seeded = (values: Partial<SeededBatch> = {}): SeededBatch => ({
	taskID,
	region: 'jp',
	nodeCount: 2,
	jobCount: 3,
	status: 3,
	createTime: 1_000,
	updateTime: 4_000,
	startTime: 2_000,
	endTime: 4_000,
	runTime: 2_000,
	lineCount: 2,
	duplicatedCount: 1,
	captchaCount: 7,
	ipProxyUsage: 8,
	fields: [{ id: 'a', name: 'A' }],
	rows: ['{"a":"1"}', '{"a":"1"}'],
	...values,
});

describeOnBothDatabases((kept) => {
	const stored = async (id: bigint) => {
		const batch = await kept.store.batches.get(id);
		return { ...batch, rows: await kept.store.rows.read(batch, window) };
	};

	test('batches are seeded as they are said, in their order, between those that were started', async () => {
		const { id: started } = await kept.create();
		const said = [seeded(), seeded({ status: 4, rows: [] }), seeded({ lineCount: 9 })];
		const ids = await kept.store.batches.seed(said);
		const { id: later } = await kept.create();
		await kept.restart();
		for (const [index, id] of ids.entries())
			expect(await stored(id)).toMatchObject(said[index] ?? {});
		const listed = await kept.store.batches.list(taskID, 0, window);
		expect(listed.map(({ id }) => id)).toEqual([later, ...ids.toReversed(), started]);
	});

	test('nobody works on a seeded batch, whatever its status is; it can be stopped', async () => {
		const [waiting = 0n] = await kept.store.batches.seed([seeded({ status: 1, endTime: 0 })]);
		expect(await kept.store.batches.unfinished()).toEqual([]);
		expect(await kept.store.jobs.unfinished(waiting)).toEqual([]);
		expect(await kept.store.batches.toStop(taskID, Date.now())).toMatchObject({ id: waiting });
		expect(await kept.store.batches.end(waiting, 4)).toMatchObject({ status: 4 });
		expect((await stored(waiting)).rows).toHaveLength(2);
	});

	test('of batches of which one cannot be stored, none is', async () => {
		const wrong = seeded({ rows: [undefined as unknown as string] });
		await expect(kept.store.batches.seed([seeded(), wrong])).rejects.toThrow();
		expect(await kept.store.batches.count(taskID)).toBe(0);
	});

	test('all batches are deleted at once, with the right to write their rows', async () => {
		const { id } = await kept.create();
		await kept.store.batches.markRunning(id);
		const claim = await kept.store.jobs.claim(id, 0);
		await kept.store.rows.append(claim, rows(['a']));
		const [other = 0n] = await kept.store.batches.seed([seeded()]);
		await kept.store.retention.deleteAll();
		expect(await kept.store.batches.taskIDs()).toEqual([]);
		expect(await kept.store.batches.find(other)).toBeUndefined();
		await expect(kept.store.rows.append(claim, rows(['b'], 'late'))).rejects.toThrow();
		expect(await kept.store.retention.deleteLeftOver(new AbortController().signal)).toBe(2);
	});

	test('what was returned is forgotten, with whatever id', async () => {
		const some = [{ hash: Uint8Array.of(1) }];
		for (const id of ['x', 'y']) {
			expect(await kept.store.deduplication.newOf(id, some)).toEqual(some);
			expect(await kept.store.deduplication.newOf(id, some)).toEqual([]);
		}
		await kept.store.deduplication.forgetAll();
		for (const id of ['x', 'y'])
			expect(await kept.store.deduplication.newOf(id, some)).toEqual(some);
	});
});
