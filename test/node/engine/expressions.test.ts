import type { INodeParameters } from 'n8n-workflow';

import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import { refusedInput } from './refusedInput';

describe('an expression that yields what its field cannot mean costs nothing', () => {
	let service: ScriptedService;

	beforeAll(async () => {
		service = await startScriptedService();
		service.addBatch({ rows: ['{}'] });
	});

	afterAll(async () => {
		await service.stop();
	});

	const refused = async (parameters: INodeParameters) => await refusedInput(service, parameters);

	/** Expressions that yield nothing, by what n8n makes of them. */
	const nothings = ['={{ $json.nope }}', '={{ null }}', '={{ undefined }}', '={{ 0 / 0 }}'];

	const nowhere = (name: string) => `${name} is empty: its expression yields nothing`;

	test.each(nothings)('start: what %s yields', async (nothing) => {
		const custom = (values: INodeParameters) => ({
			actionParams: { custom: [{ id: 'a', path: 'p', value: 'v', ...values }] },
		});
		const fields: Array<[INodeParameters, string]> = [
			[{ nodeCount: nothing }, nowhere('Max Concurrent Agents')],
			[{ jobCount: nothing }, nowhere('Jobs')],
			[{ region: nothing }, nowhere('Region')],
			[{ specifyActionParams: nothing }, nowhere('Specify Step Values')],
			[{ specifyActionParams: 'json', actionParamsJson: nothing }, nowhere('Step Values (JSON)')],
			[
				{ actionParams: { inputText: [{ id: 'a', text: nothing }] } },
				'Input: Text 1: ' + nowhere('Text'),
			],
			[
				{ actionParams: { inputText: [{ id: nothing, text: 'x' }] } },
				'Input: Text 1: ' + nowhere('Step ID'),
			],
			[
				{ actionParams: { navigate: [{ id: 'a', url: nothing }] } },
				'Navigate: URL 1: ' + nowhere('URL'),
			],
			[{ taskId: nothing }, nowhere('Task ID')],
			[custom({ value: nothing }), 'Custom Field 1: ' + nowhere('Value')],
			[custom({ path: nothing }), 'Custom Field 1: ' + nowhere('Path')],
		];
		for (const [parameters, message] of fields) {
			expect(await refused({ operation: 'start', ...parameters })).toBe(message);
		}
	});

	test.each([
		['={{ 1 / 0 }}', 'Infinity'],
		['={{ -1 / 0 }}', '-Infinity'],
		['={{ true }}', 'true: write it as text, "true"'],
		['={{ false }}', 'false: write it as text, "false"'],
	])('start: what %s yields is no text', async (odd, said) => {
		const entry = (group: string, values: INodeParameters) => ({
			actionParams: { [group]: [{ id: 'a', ...values }] },
		});
		const fields: Array<[INodeParameters, string]> = [
			[entry('inputText', { text: odd }), 'Input: Text 1: Text'],
			[entry('inputText', { id: odd }), 'Input: Text 1: Step ID'],
			[entry('navigate', { url: odd }), 'Navigate: URL 1: URL'],
			[entry('custom', { path: odd, value: 'v' }), 'Custom Field 1: Path'],
			[entry('custom', { value: odd }), 'Custom Field 1: Value'],
		];
		for (const [parameters, field] of fields) {
			const message = await refused({ operation: 'start', ...parameters });
			expect(message).toBe(`${field} must be a text, not ${said}`);
		}
		const [value] = said.split(':');
		expect(await refused({ operation: 'start', taskId: odd })).toBe(
			`Task ID must be a text, not ${value}`,
		);
		const texts = odd.replace('{{', '{{ ["x",').replace('}}', '] }}');
		expect(await refused({ operation: 'start', ...entry('textList', { texts }) })).toBe(
			`Loop: Text List 1, item 2 must be a text, not ${value}`,
		);
	});

	test.each(nothings)('listBatches and getData: what %s yields', async (nothing) => {
		for (const operation of ['listBatches', 'getData']) {
			expect(await refused({ operation, limit: nothing })).toBe(nowhere('Limit'));
			expect(await refused({ operation, returnAll: nothing })).toBe(nowhere('Return All'));
		}
		expect(await refused({ operation: 'listBatches', orderBy: nothing })).toBe(nowhere('Order By'));
		const options = { pageSize: nothing };
		expect(await refused({ operation: 'getData', options })).toBe(nowhere('Rows per Request'));
	});
});
