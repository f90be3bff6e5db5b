import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { useFastClock } from '../../support/engine/fastClock';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page } from '../../support/scriptedService/scriptedAnswers';

// A batch has ended, and counts rows that its list does not give yet: an index is refreshed each second, or
// the last rows are still being written.

describe('rows that come after the end', () => {
	const service = useScriptedService();

	const all = Array.from({ length: 100 }, (_row, n) => `{"n":${n}}`);
	const whole = Array.from({ length: 100 }, (_row, n) => n);

	/** The run that was started, or the batch that is there, ends at a look at the list. */
	const endAtLook = (nth = 1) =>
		service.script(
			'batches',
			() => {
				Object.assign(service.batches[0], { status: 3, endTime: 1, rows: all, lineCount: 100 });
				return undefined;
			},
			{ skip: nth - 1, times: 1 },
		);

	/** Shows so many rows in the first answers, and counts as many, or all. */
	const lag = (shown: number, times: number, total = shown, rows = all.slice(0, shown)) =>
		service.script(
			'data',
			({ query }) => {
				const [number, size] = [Number(query.page), Number(query.size)];
				return page(rows.slice((number - 1) * size, number * size), { total });
			},
			{ times },
		);

	const parameters = (options: INodeParameters, more: INodeParameters) => ({
		operation: 'runAndGetData',
		returnAll: true,
		...more,
		options: { pollInterval: 1, ...options },
	});

	const run = async (options: INodeParameters = {}, more: INodeParameters = {}) => {
		endAtLook();
		return await runOn(service, parameters(options, more));
	};

	const numbers = ({ rows }: Awaited<ReturnType<typeof run>>) => rows.map(({ n }) => n);

	describe('by a fast clock', () => {
		const { pauses } = useFastClock();

		/** Those after the first look at the run. */
		const waits = () =>
			pauses()
				.filter((milliseconds) => milliseconds > 0)
				.slice(1);

		test.each([
			[0, 4],
			[0, 12],
			[60, 3],
			[60, 9],
			[99, 5],
		])('are waited for: %i of 100 are in the first %i answers', async (shown, times) => {
			lag(shown, times);
			const result = await run();
			expect(numbers(result)).toEqual(whole);
			expect(result.hints).toEqual([expect.stringMatching(/ 100 rows\.$/)]);
			expect(waits()[0]).toBe(500);
		});

		test.each([0, 35, 60])('are waited for on later pages, too: %i are there', async (shown) => {
			lag(shown, 7);
			expect(numbers(await run({ pageSize: 20 }))).toEqual(whole);
		});

		test('that go before those that are there move all of them: the read begins again', async () => {
			lag(60, 7, 100, all.slice(40));
			const result = await run({ pageSize: 20, concurrency: 2 });
			expect(numbers(result)).toEqual(whole);
			expect(result.hints).toHaveLength(1);
		});

		test('are waited for by who waits for a batch that was started before', async () => {
			service.addBatch({ status: 2 });
			endAtLook(2);
			lag(60, 5);
			const result = await runOn(
				service,
				parameters({ waitForEnd: true }, { operation: 'getData', batch: 'id', batchId: '1001' }),
			);
			expect(numbers(result)).toEqual(whole);
		});

		test('and do not come in 20 seconds are said to be missing, as before', async () => {
			lag(60, Infinity);
			const result = await run();
			expect(result.rows).toHaveLength(60);
			expect(result.hints[1]).toBe('The service counts 100 rows in batch 1001, but returned 60.');
			expect(waits().slice(0, 5)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
			const sum = waits().reduce((before, milliseconds) => before + milliseconds, 0);
			expect(sum).toBeLessThanOrEqual(20_000);
		});

		test('and none of which come in 20 seconds are an error, as before', async () => {
			lag(0, Infinity);
			const { error } = await run();
			expect(error?.message).toBe('The service counts 100 rows in batch 1001, but returned 0');
			expect(waits()).toHaveLength(6);
		});

		test('are not waited for where the limit is reached', async () => {
			lag(60, Infinity);
			expect(await run({}, { returnAll: false, limit: 60 })).toMatchObject({ error: undefined });
			expect(waits()).toEqual([]);
		});

		test('are not waited for with a deduplication ID', async () => {
			lag(60, Infinity);
			await run({ deduplication: 'service', deduplicationId: 'k' });
			expect(waits()).toEqual([]);
		});

		test.each([{}, { waitForEnd: true, pollInterval: 1 }])(
			'are not waited for of a batch that had ended before: %j',
			async (options) => {
				service.addBatch({ rows: all });
				lag(60, Infinity);
				const { rows } = await runOn(service, {
					operation: 'getData',
					returnAll: true,
					batch: 'id',
					batchId: '1001',
					options,
				});
				expect(rows).toHaveLength(60);
				expect(pauses().filter((milliseconds) => milliseconds > 0)).toEqual([]);
			},
		);
	});

	test('are no longer waited for when the execution is cancelled', async () => {
		lag(60, Infinity);
		endAtLook();
		const { run: execution } = startNode({
			parameters: { taskId: service.taskID, ...parameters({}, {}) },
			credential: service.credential,
		});
		while (service.sentTo('data').length < 4) await wait(5);
		execution.cancel();
		const { status } = await execution.catch(() => ({ status: 'canceled' }));
		expect(status).toBe('canceled');
		const asked = service.sentTo('data').length;
		await wait(1_500);
		expect(service.sentTo('data')).toHaveLength(asked);
	});
});
