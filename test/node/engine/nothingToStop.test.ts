import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, refusal, success } from '../../support/scriptedService/scriptedAnswers';

describe('a stop where nothing runs', () => {
	const service = useScriptedService(() => ({ taskIDs: ['one', 'other'] }));

	const stop = async (ifNothingRuns?: string, taskId = 'one') =>
		await runOn(
			service,
			{ operation: 'stop', taskId, options: ifNothingRuns ? { ifNothingRuns } : {} },
			{ input: [{ from: 'before' }] },
		);

	test.each([undefined, 'error'])('is an error: %s', async (choice) => {
		service.addBatch();
		const { error } = await stop(choice);
		expect(error?.message).toBe('Task one has no waiting or running batch');
		expect(error?.description).toMatch(
			/^Nothing was stopped\. .* set the option 'If Nothing Runs' to 'Continue'\.\nThe service says: .*\nRequest ID: \S+$/,
		);
		expect(error?.context).toMatchObject({ code: 9000002, itemIndex: 0 });
	});

	test('keeps the words of the service as its title where the list does not say so', async () => {
		service.addBatch({ status: 2 });
		service.script('stop', () => refusal(9000002, 'not now'));
		const { error } = await stop();
		expect(error?.message).toBe('The service refused the request');
		expect(error?.description).toContain("set the option 'If Nothing Runs' to 'Continue'");
	});

	test('passes the input item on where that is wanted, and says that nothing was stopped', async () => {
		service.addBatch();
		const { items, hints, error } = await stop('continue');
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ json: { from: 'before', stopped: false }, pairedItem: { item: 0 } },
		]);
		expect(hints).toEqual(['Task one has no waiting or running batch: nothing was stopped.']);
		expect(service.sentTo('stop')).toHaveLength(1);
	});

	test('is one for a task that has never been started, too', async () => {
		expect((await stop('continue', 'other')).rows).toEqual([{ from: 'before', stopped: false }]);
	});

	test.each([9000002, 9000004, 9000005])(
		'is known by the list of batches, whatever the code: %i',
		async (code) => {
			service.addBatch();
			service.script('stop', () => refusal(code, 'nothing to stop'));
			expect((await stop('continue')).rows).toEqual([{ from: 'before', stopped: false }]);
		},
	);

	test('stops what runs, and returns it', async () => {
		service.addBatch({ status: 2 });
		expect((await stop('continue')).rows).toMatchObject([{ statusName: 'stopped' }]);
	});

	test.each([
		['a batch goes on', () => service.addBatch({ status: 2 })],
		['the list cannot be read', () => service.script('batches', () => refusal(9000000, 'no list'))],
		[
			'the list lacks batches',
			() =>
				service.script('batches', () =>
					success({ list: [], pagination: { page: 1, size: 500, total: 2 } }),
				),
		],
	])('is not taken for one while %s', async (_case, prepare) => {
		service.addBatch();
		prepare();
		service.script('stop', () => refusal(9000002, 'not now'));
		expect((await stop('continue')).error?.message).toBe('The service refused the request');
	});

	test('is not taken for one when the task is not found and has no batches: its ID may be mistyped', async () => {
		service.script('stop', () => refusal(9000004, 'no such task'));
		expect((await stop('continue', 'other')).error?.message).toBe('Task or batch not found');
	});

	test.each([
		['the API key is rejected', refusal(9000003, 'no')],
		['the answer is none of the service', html(502, 'Bad gateway')],
	])('is not taken for one when %s', async (_case, answer) => {
		service.addBatch();
		service.script('stop', () => answer);
		expect((await stop('continue')).error).toBeDefined();
	});
});
