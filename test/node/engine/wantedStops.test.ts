import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { logLine } from '../../support/engine/n8nLog';
import { runOn, startNode } from '../../support/engine/runNode';
import { html, refusal, success } from '../../support/scriptedService/scriptedAnswers';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { useOutlivingStops } from './outlivingStops';

/** Runs of one task that this process wants stopped do not keep each other from being stopped. */
describe('several runs of a task that are to be stopped', () => {
	const { service } = useOutlivingStops();

	const spent = { status: 2, rows: ['{"n":1}', '{"n":2}'], lineCount: 2 };

	const statuses = () => service.batches.map(({ status }) => status);

	const inputOf = (batches: ScriptedService['batches']) =>
		batches.map(({ batchID }) => ({ batchID: String(batchID) }));

	const waitFor = (options: INodeParameters): INodeParameters => ({
		operation: 'getData',
		batch: 'id',
		batchId: { __rl: true, mode: 'id', value: '={{ $json.batchID }}' },
		options: { waitForEnd: true, timeout: 1, pollInterval: 1, ...options },
	});

	const runAndGetData = (options: INodeParameters): INodeParameters => ({
		operation: 'runAndGetData',
		timeout: 1,
		options: { pollInterval: 1, ...options },
	});

	test('are stopped one after the other in one execution, each with its own stop', async () => {
		for (let n = 0; n < 3; n++) service.addBatch(spent);
		const { rows, error } = await runOn(service, waitFor({ stopAtRows: 2 }), {
			input: inputOf(service.batches),
		});
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(6);
		expect(statuses()).toEqual([4, 4, 4]);
		expect(service.sentTo('stop')).toHaveLength(3);
	});

	test('wait for the one that is not to be stopped yet', async () => {
		for (const lineCount of [2, 2, 1]) service.addBatch({ ...spent, lineCount });
		const begin = performance.now();
		service.script('batches', () => {
			if (performance.now() - begin > 60_000) service.batches[2].lineCount = 2;
			if (statuses().includes(4)) expect(service.batches[2].lineCount).toBe(2);
			return undefined;
		});
		await runOn(service, waitFor({ stopAtRows: 2, timeout: 5 }), {
			input: inputOf(service.batches),
		});
		expect(statuses()).toEqual([4, 4, 4]);
	});

	test.each<[string, INodeParameters]>([
		['that have used up their budgets', { stopAtRows: 2 }],
		['whose time is up', { onTimeout: 'stopAndReturn' }],
	])('are stopped in executions of their own %s', async (_why, options) => {
		service.script('batches', () => {
			if (service.batches.length < 3) return undefined;
			for (const batch of service.batches.filter(({ status }) => status < 3)) {
				Object.assign(batch, spent);
			}
			return undefined;
		});
		const results = await Promise.all(
			[1, 2, 3].map(async () => await runOn(service, runAndGetData(options))),
		);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(results.map(({ rows }) => rows.length)).toEqual([2, 2, 2]);
		expect(statuses()).toEqual([4, 4, 4]);
		expect(service.sentTo('stop')).toHaveLength(3);
	});

	const cancelled = async (count: number) => {
		const executions = [];
		while (executions.length < count) {
			const parameters = { taskId: service.taskID, ...runAndGetData({}) };
			executions.push(startNode({ parameters, credential: service.credential }));
			const before = service.batches.length;
			while (service.batches.length === before) await wait(5);
		}
		await wait(50);
		for (const { run } of executions) run.cancel();
		await Promise.all(executions.map(async ({ run }) => await run.catch(() => {})));
	};

	/** However slow the machine is: stops that outlive their execution say nothing when they are done. */
	const statusesBecome = async (wanted: number[]) => {
		while (String(statuses()) !== String(wanted)) await wait(20);
	};

	test('are stopped when their executions are cancelled together', async () => {
		await cancelled(3);
		await statusesBecome([4, 4, 4]);
		expect(service.sentTo('stop')).toHaveLength(3);
	});

	test('are left alone beside a run of somebody else, and stopped when that has ended', async () => {
		const other = service.addBatch({ status: 2 });
		await cancelled(2);
		expect(await logLine('is not stopped yet: batch 1001')).toMatch(/Batch 100[23] of task/);
		expect(service.sentTo('stop')).toEqual([]);
		Object.assign(other, { status: 3 });
		await statusesBecome([3, 4, 4]);
	});

	test('are stopped though the service always takes the same one first, and takes its time', async () => {
		const [first, second] = [service.addBatch(spent), service.addBatch(spent)];
		service.script('stop', () => {
			const chosen = [second, first].find(({ status }) => status === 2);
			if (!chosen) return refusal(9000002, 'nothing runs');
			setTimeout(() => Object.assign(chosen, { status: 4 }), 3_000);
			return success(onTheWire(chosen));
		});
		await runOn(service, waitFor({ stopAtRows: 2 }), { input: inputOf(service.batches) });
		expect(statuses()).toEqual([4, 4]);
	});

	test('one that the user has cancelled after its budget was used up is still stopped', async () => {
		const other = service.addBatch({ status: 2 });
		const own = service.addBatch(spent);
		const { run } = startNode({
			parameters: { taskId: service.taskID, ...waitFor({ stopAtRows: 2 }) },
			credential: service.credential,
			input: inputOf([own]),
		});
		while (service.sentTo('batches').length < 3) await wait(5);
		run.cancel();
		await run.catch(() => {});
		Object.assign(other, { status: 3 });
		await statusesBecome([3, 4]);
	});

	describe('and a watch that is disturbed', () => {
		const isOver = () => {
			const [batch] = service.batches;
			if (batch.status === 1) Object.assign(batch, spent);
		};

		test.each([
			['an unknown code', refusal(9000100, 'odd', 200)],
			['code 500', refusal(500, 'odd', 200)],
			['9000002', refusal(9000002, 'odd')],
			['9000005', refusal(9000005, 'odd')],
			['9000004', refusal(9000004, 'odd')],
			['9000003 once', refusal(9000003, 'odd')],
			['a page with HTTP 403', html(403, 'Forbidden')],
			['a page with HTTP 401', html(401, 'Unauthorized')],
		])('goes on after %s', async (_kind, answer) => {
			service.script('batches', answer, { times: 1 });
			service.script('batches', () => {
				isOver();
				return undefined;
			});
			const { error, rows } = await runOn(service, runAndGetData({ stopAtRows: 2 }));
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(2);
			expect(statuses()).toEqual([4]);
		});

		test('goes on when the service fails for four minutes', async () => {
			const begin = performance.now();
			service.script('batches', () => {
				if (performance.now() - begin < 240_000) return refusal(9000002, 'not now');
				isOver();
				return undefined;
			});
			const parameters = { ...runAndGetData({ stopAtRows: 2 }), timeout: 10 };
			const { error } = await runOn(service, parameters);
			expect(error).toBeUndefined();
			expect(statuses()).toEqual([4]);
		});

		test('ends after five minutes, and says which budget nobody watches any more', async () => {
			service.script('batches', refusal(9000100, 'odd'));
			const begin = performance.now();
			const parameters = { ...runAndGetData({ stopAtRows: 300 }), timeout: 20 };
			const { error } = await runOn(service, parameters);
			expect(performance.now() - begin).toBeGreaterThan(300_000);
			expect(error?.message).toBe('The service answered with error 9000100');
			expect(error?.description).toContain(
				"Get Data reads it by its ID. No longer watched: 'Stop at Rows' (300).",
			);
		});

		test('ends at once when the key is turned away twice in a row', async () => {
			service.script('batches', refusal(9000003, 'revoked'));
			const { error } = await runOn(service, runAndGetData({ stopAtRows: 300 }));
			expect(error?.message).toBe('API key rejected');
			expect(error?.description).toContain(
				'Batch 1001 was started, and goes on as far as is known',
			);
			expect(service.sentTo('batches')).toHaveLength(2);
		});

		test.each([
			['an unknown code', refusal(9000100, 'odd', 200)],
			['9000002', refusal(9000002, 'odd')],
			['a page with HTTP 403', html(403, 'Forbidden')],
			['9000003 once', refusal(9000003, 'odd')],
		])('so does a read of pages after %s', async (_kind, answer) => {
			service.addBatch({ rows: ['{"n":1}', '{"n":2}'] });
			service.script('data', answer, { times: 1 });
			const { rows, error } = await runOn(service, { operation: 'getData' });
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(2);
		});
	});
});
