import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { CloudScraping } from '../../../../nodes/CloudScraping/CloudScraping.node';

const { description } = new CloudScraping();

/** The parameters with all defaults, as the editor shows them and an execution gets them. */
const opened = (saved: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		saved,
		true,
		false,
		{ typeVersion: 1 },
		description,
	) ?? {};

/** The parameters as n8n saves them with the workflow: without defaults. */
const saved = (parameters: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		false,
		false,
		{ typeVersion: 1 },
		description,
	) ?? {};

describe.each(['getData', 'runAndGetData'])('Return All of %s', (operation) => {
	test('is on for files and off for items, unless it was set', () => {
		expect(opened({ operation, output: 'file' }).returnAll).toBe(true);
		expect(opened({ operation, output: 'items' }).returnAll).toBe(false);
		expect(opened({ operation }).returnAll).toBe(false);
	});

	test.each(['items', 'file'])('stays as it was set when the workflow is saved: %s', (output) => {
		for (const returnAll of [true, false]) {
			const kept = saved(opened({ operation, output, returnAll }));
			expect(opened(kept).returnAll).toBe(returnAll);
		}
	});

	test('follows the output when that is chosen in the editor, and leads to the limit', () => {
		const asFile = opened({ ...saved(opened({ operation })), output: 'file' });
		expect(asFile).toMatchObject({ returnAll: true });
		expect(asFile).not.toHaveProperty('limit');
		expect(opened({ ...saved(asFile), output: 'items' })).toMatchObject({
			returnAll: false,
			limit: 50,
		});
		expect(opened({ operation, output: 'file', returnAll: false })).toMatchObject({ limit: 50 });
	});

	test('is that for items where an expression says what the output is', () => {
		const output = '={{ $json.kind }}';
		expect(opened({ operation, output }).returnAll).toBe(false);
		for (const returnAll of [true, false]) {
			const kept = saved(opened({ operation, output, returnAll }));
			expect(opened(kept).returnAll).toBe(returnAll);
		}
	});
});

test('Return All of List Batches is off, whatever the output of another operation was', () => {
	expect(opened({ operation: 'listBatches', output: 'file' }).returnAll).toBe(false);
});

test('a new node runs a task and gets its data', () => {
	expect(opened({})).toMatchObject({ operation: 'runAndGetData', output: 'items' });
});
