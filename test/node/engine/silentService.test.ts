import type { INodeParameters } from 'n8n-workflow';

import type { NodeSetup } from '../../support/engine/engineWorkflow';
import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { shortTimeOuts } from '../../support/engine/shortTimeOuts';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { silence } from '../../support/scriptedService/scriptedAnswers';
import { settings } from './agentTool';

describe('a service that dies while the node waits', () => {
	const service = useScriptedService();

	/** Runs the node; the service is gone once it has answered the first look at the batch. */
	const runUntilDead = async (parameters: INodeParameters, setup: Partial<NodeSetup> = {}) => {
		service.script(
			'batches',
			() => {
				void service.stop();
				return undefined;
			},
			{ skip: 1 },
		);
		const clock = fastClock({ shortTimeOuts: false });
		const begin = performance.now();
		const result = await runOn(service, { operation: 'runAndGetData', ...parameters }, setup);
		const passed = performance.now() - begin;
		clock.restore();
		return { ...result, passed };
	};

	const unknown =
		/^The service has given no usable answer since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\. Batch 1001 was started; whether it is still running is not known: do not start the task again for it\. Once the service answers, List Batches shows the batch, and Get Data reads it by its ID\./;

	const ways: Array<[string, INodeParameters, { from: number; to: number }]> = [
		['when the time is up', { timeout: 1 }, { from: 60_000, to: 75_000 }],
		[
			'as well where its rows so far are wanted',
			{ timeout: 1, options: { onTimeout: 'return' } },
			{ from: 60_000, to: 75_000 },
		],
		['after five minutes, if that is sooner', {}, { from: 300_000, to: 345_000 }],
	];

	test.each(ways)(
		'is said %s: since when, why, and which batch was started',
		async (_when, parameters, { from, to }) => {
			const { error, passed } = await runUntilDead(parameters);
			expect(error?.message).toBe(`Could not reach ${new URL(service.baseUrl).host}`);
			expect(error?.description).toMatch(unknown);
			expect(error?.description).toContain('nothing listens at this address. (ECONNREFUSED)');
			expect(error?.description).not.toContain('longer timeout');
			expect(passed).toBeGreaterThan(from);
			expect(passed).toBeLessThan(to);
		},
	);

	test('is said where Get Data waits for a batch, too', async () => {
		service.addBatch({ status: 2 });
		const { error } = await runUntilDead({
			operation: 'getData',
			batch: 'id',
			batchId: '1001',
			options: { waitForEnd: true, timeout: 1 },
		});
		expect(error?.message).toContain('Could not reach');
		expect(error?.description).toMatch(unknown);
	});

	test('is said with the budgets that nobody watches any more', async () => {
		const { error } = await runUntilDead({ options: { stopAtRows: 1_000 } });
		expect(error?.description).toMatch(unknown);
		expect(error?.description).toContain("No longer watched: 'Stop at Rows' (1,000).");
	});

	test('is said to an agent in the message, where it reads all of it', async () => {
		const { error } = await runUntilDead({}, { settings });
		expect(error?.message).toContain('Could not reach');
		expect(error?.message).toContain(
			'Batch 1001 was started; whether it is still running is not known',
		);
		expect(error?.message).toContain('do not start the task again');
		expect(error?.message).toContain('nothing listens at this address.');
	});

	test('is said as well when it takes requests and answers none', async () => {
		const clock = shiftedClock();
		const timeOuts = shortTimeOuts();
		service.script('batches', () => {
			clock.pass(1);
			return silence;
		});
		const { error } = await runOn(service, { operation: 'runAndGetData', timeout: 1 });
		timeOuts.mockRestore();
		clock.restore();
		expect(error?.message).toBe(`Could not reach ${new URL(service.baseUrl).host}`);
		expect(error?.description).toMatch(unknown);
		expect(error?.description).toContain('No answer came in time.');
	});

	test('is forgotten when it has answered since', async () => {
		service.script('batches', { status: 503 }, { times: 24 });
		const clock = fastClock({ shortTimeOuts: false });
		const { error } = await runOn(service, { operation: 'runAndGetData', timeout: 3 });
		clock.restore();
		expect(error?.message).toBe('The batch did not finish within 3 minutes');
		expect(error?.description).toContain('longer timeout');
	});
});
