import { setTimeout as sleep } from 'node:timers/promises';
import { status, type Batch } from '../../../service/src/store/batch.ts';
import { identifierAfter } from '../../../service/src/store/identifiers.ts';
import { describeOnBothDatabases } from './bothDatabases';
import { numbers, rows, taskID, window } from './newBatch';

const ids = (batches: Pick<Batch, 'id'>[]) => batches.map(({ id }) => id);

test('a batch that is deleted leaves its identifier to no other, where the clock was ahead', () => {
	const ahead = 2n ** 52n;
	const given = numbers(0, 100).map(() => identifierAfter(ahead, Date.now(), false));
	expect(given.every((id) => id > ahead && id < 2n ** 53n)).toBe(true);
	expect(new Set(given).size).toBeGreaterThan(90);
});

describeOnBothDatabases((kept) => {
	describe('batches', () => {
		test('are the same whether their task ID is in capitals or not', async () => {
			const { id } = await kept.create({ taskID: taskID.toUpperCase() });
			for (const asked of [taskID, taskID.toUpperCase()]) {
				expect(await kept.store.batches.count(asked)).toBe(1);
				expect(ids(await kept.store.batches.list(asked, 0, window))).toEqual([id]);
				expect(await kept.store.batches.toStop(asked, Date.now())).toMatchObject({ id });
				expect(await kept.store.batches.startedBy(asked, 'test')).toMatchObject({ id });
			}
			await kept.create();
			expect(await kept.store.batches.taskIDs()).toEqual([taskID]);
		});

		test('that are created at once have identifiers that grow, also over a restart', async () => {
			const early = await Promise.all(numbers(0, 20).map(() => kept.create()));
			vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
			await kept.restart();
			const late = await kept.create();
			const created = ids(await kept.store.batches.list(taskID, 0, window));
			const grown = [...ids(early), late.id].sort((a, b) => (a < b ? 1 : -1));
			expect(created).toEqual(grown);
			expect(created[0]).toBe(late.id);
			expect(late.id < 2n ** 53n).toBe(true);
			await kept.restart({ largeIdentifiers: true });
			const { id } = await kept.create();
			expect(id > 2n ** 53n && id < 2n ** 63n).toBe(true);
			expect(ids(await kept.store.batches.list(taskID, 0, window))[0]).toBe(id);
		});

		test('are started once by a request that starts one alone, however often it comes', async () => {
			const request = { requestID: 'once', once: true };
			const started = await Promise.all(numbers(0, 5).map(() => kept.create(request)));
			expect(new Set(ids(started)).size).toBe(1);
			await kept.create({ requestID: 'once' });
			expect(await kept.store.batches.count(taskID)).toBe(2);
			expect((await kept.create({ ...request, taskID: 'other' })).id).not.toBe(started[0]?.id);
		});

		test('are listed as far as so many bytes of fields go, and the one beyond', async () => {
			for (const name of ['a', 'é', 'c']) await kept.create({ fields: [{ id: 'x', name }] });
			const fields = Buffer.byteLength('[{"id":"x","name":"c"}]');
			const listed = async (bytes: number, offset = 0) =>
				(await kept.store.batches.list(taskID, 0, { offset, size: 10 }, bytes)).flatMap((batch) =>
					batch.fields.map(({ name }) => name),
				);
			expect(await listed(0)).toEqual(['c']);
			expect(await listed(fields - 1)).toEqual(['c']);
			expect(await listed(fields)).toEqual(['c', 'é']);
			expect(await listed(2 * fields)).toEqual(['c', 'é']);
			expect(await listed(2 * fields + 1)).toEqual(['c', 'é', 'a']);
			expect(await listed(0, 1)).toEqual(['é']);
		});

		test('are listed by creation, running time and rows, page by page', async () => {
			const [first, second, third] = [
				await kept.create(),
				await kept.create(),
				await kept.create(),
			];
			await kept.append(first.id, 0, rows(['a', 'b']));
			await kept.append(third.id, 0, rows(['a']));
			vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
			await kept.store.batches.markRunning(second.id);
			kept.pass(5_000);
			const listed = async (order: number, offset = 0, size = 10) =>
				ids(await kept.store.batches.list(taskID, order, { offset, size }));
			expect(await listed(0)).toEqual([third.id, second.id, first.id]);
			expect(await listed(1)).toEqual([second.id, third.id, first.id]);
			expect(await listed(2)).toEqual([first.id, third.id, second.id]);
			expect(await listed(2, 1, 1)).toEqual([third.id]);
			expect(await listed(0, 1_000_000_000_000)).toEqual([]);
			expect(await kept.store.batches.list('nobody\0', 0, window)).toEqual([]);
			const other = await kept.create({ taskID: 'other' });
			expect(await kept.store.batches.taskIDs()).toEqual(['other', taskID]);
			expect(ids(await kept.store.batches.unfinished())).toEqual([
				first.id,
				second.id,
				third.id,
				other.id,
			]);
		});

		test('are stopped running first, then waiting, the newest of several', async () => {
			const [first, second] = [await kept.create(), await kept.create(), await kept.create()];
			await kept.store.batches.markRunning(first.id);
			await kept.store.batches.markRunning(second.id);
			const stopped: bigint[] = [];
			for (let batch; (batch = await kept.store.batches.toStop(taskID, Date.now()));) {
				await kept.store.batches.end(batch.id, status.stopped);
				stopped.push(batch.id);
			}
			expect(stopped.slice(0, 2)).toEqual([second.id, first.id]);
			expect(stopped).toHaveLength(3);
		});

		test('are not stopped by what came before them', async () => {
			const { batches } = kept.store;
			const { id } = await kept.create();
			await sleep(20);
			const between = await batches.now();
			await sleep(20);
			const after = await kept.create();
			expect(await batches.toStop(taskID, between)).toMatchObject({ id });
			expect(await batches.toStop(taskID, between - 60_000)).toBeUndefined();
			expect(await batches.toStop(taskID, await batches.now())).toMatchObject({ id: after.id });
		});

		test('keep what they were made of, and what they were started with', async () => {
			const fields = [{ id: 'ü\u2028', name: 'Größe "x"' }];
			const start = { jobCount: 7, actionParams: '[{"id":"\\u0000"}]' };
			// Larger than a number of JavaScript holds exactly.
			await kept.restart({ largeIdentifiers: true });
			const { id } = await kept.create({ fields, start, task: '{"name":"\\u0000"}', nodeCount: 3 });
			await kept.restart();
			const batch = await kept.store.batches.get(id);
			expect(batch).toMatchObject({ taskID, fields, nodeCount: 3, jobCount: 1, region: 'us' });
			expect(batch).toMatchObject({ status: status.waiting, startTime: 0, requestID: 'test' });
			expect(await kept.store.batches.startOf(id)).toEqual(start);
			expect(await kept.store.batches.unfinished()).toEqual([
				{ id, taskID, region: 'us', requestID: 'test' },
			]);
			expect(await kept.store.batches.withTask(id)).toEqual({ batch, task: '{"name":"\\u0000"}' });
			expect(await kept.store.batches.find(id + 1n)).toBeUndefined();
			await expect(kept.store.batches.get(id + 1n)).rejects.toThrow(
				`There is no batch ${id + 1n}.`,
			);
		});

		test('run once they are begun, and end once', async () => {
			const { id } = await kept.create();
			expect(await kept.store.batches.markRunning(id)).toBe(true);
			const { startTime } = await kept.store.batches.get(id);
			expect(await kept.store.batches.markRunning(id)).toBe(true);
			expect((await kept.store.batches.get(id)).startTime).toBe(startTime);
			const ended = await kept.store.batches.end(id, status.stopped, 'x'.repeat(3_000));
			expect(ended).toMatchObject({ status: status.stopped, endReason: 'x'.repeat(2_000) });
			expect(await kept.store.batches.end(id, status.successful)).toBeUndefined();
			expect(await kept.store.batches.get(id)).toEqual(ended);
			expect(await kept.store.batches.markRunning(id)).toBe(false);
			expect(await kept.store.batches.unfinished()).toEqual([]);
			expect(await kept.store.batches.withTask(id)).toBeUndefined();
		});

		test('have no negative running time, nor an end before their begin, where a clock is set back', async () => {
			const { id } = await kept.create();
			await kept.store.batches.markRunning(id);
			kept.pass(-3_600_000);
			const { runTime } = await kept.store.batches.get(id);
			expect(runTime).toBeGreaterThanOrEqual(0);
			expect(runTime).toBeLessThan(60_000);
			const ended = await kept.store.batches.end(id, status.stopped);
			expect(ended?.runTime).toBeGreaterThanOrEqual(0);
			expect(ended?.endTime).toBe(ended?.startTime);
		});

		test('run no longer where it is set forward; before a restart, what it said counts, never below 0', async () => {
			const { id } = await kept.create();
			await kept.store.batches.markRunning(id);
			kept.pass(3_600_000);
			expect((await kept.store.batches.get(id)).runTime).toBeLessThan(60_000);
			await kept.restart();
			expect((await kept.store.batches.get(id)).runTime).toBeGreaterThanOrEqual(3_590_000);
			kept.pass(-7_200_000);
			await kept.restart();
			const { runTime } = await kept.store.batches.get(id);
			expect(runTime).toBeGreaterThanOrEqual(0);
			expect(runTime).toBeLessThan(60_000);
		});
	});

	test('jobs say how far they are, also after a restart', async () => {
		const jobs = [
			{ first: 0, end: 10 },
			{ first: 10, end: 15 },
		];
		const { id } = await kept.create({ jobs });
		await kept.store.jobs.advance(await kept.store.jobs.claim(id, 0), 4);
		await kept.markDone(id, 1);
		await kept.restart();
		expect(await kept.store.jobs.unfinished(id)).toEqual([{ number: 0, first: 4, end: 10 }]);
		const progress = { jobs: 2, jobsDone: 1, items: 15, itemsDone: 9 };
		expect(await kept.store.jobs.progress(id)).toEqual(progress);
		expect(await kept.store.jobs.progress(id + 1n)).toMatchObject({ jobs: 0, items: 0 });
	});

	test('a job says what it has sent, and where that was, until something else is said', async () => {
		const { id } = await kept.create({ jobs: [{ first: 0, end: 10 }] });
		await kept.store.jobs.noteSent(await kept.store.jobs.claim(id, 0), 4, 'an order');
		await kept.restart();
		const noted = { number: 0, first: 4, end: 10, sent: 'an order' };
		expect(await kept.store.jobs.unfinished(id)).toEqual([noted]);
		const claim = await kept.store.jobs.claim(id, 0);
		await kept.store.jobs.advance(claim, 5);
		expect(await kept.store.jobs.unfinished(id)).toEqual([{ ...noted, first: 5 }]);
		await kept.store.jobs.noteSent(claim, 5, 'another');
		await kept.restart();
		const other = { ...noted, first: 5, sent: 'another' };
		expect(await kept.store.jobs.unfinished(id)).toEqual([other]);
	});
});
