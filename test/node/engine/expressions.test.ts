import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { useRefusals } from './refusals';

describe('an expression that yields what its field cannot mean costs nothing', () => {
	const { service, refused } = useRefusals();

	/** Expressions that yield nothing, by what n8n makes of them. */
	const nothings = ['={{ $json.nope }}', '={{ null }}', '={{ undefined }}', '={{ 0 / 0 }}'];

	const saying = (nothing: string) => (name: string) =>
		nothing.includes('0 / 0')
			? `${name} is no number: its expression gives NaN`
			: `${name} is empty: its expression returns nothing`;

	test.each(nothings)('start: what %s yields', async (nothing) => {
		const nowhere = saying(nothing);
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
			expect(message).toBe(`${field} must be text, not ${said}`);
		}
		const [value] = said.split(':');
		expect(await refused({ operation: 'start', taskId: odd })).toBe(
			`Task ID must be text, not ${value}`,
		);
		const texts = odd.replace('{{', '{{ ["x",').replace('}}', '] }}');
		expect(await refused({ operation: 'start', ...entry('textList', { texts }) })).toBe(
			`Loop: Text List 1, item 2 must be text, not ${value}`,
		);
	});

	test.each<[string, INodeParameters, string]>([
		['nodeCount', { operation: 'start' }, 'a whole number of at least 1'],
		['jobCount', { operation: 'start' }, 'a whole number of at least 1'],
		['timeout', { operation: 'runAndGetData' }, 'a number of at least 1'],
		['limit', { operation: 'getData' }, 'a whole number of at least 1'],
		['returnAll', { operation: 'getData' }, 'true or false'],
		['output', { operation: 'getData' }, 'one of these values'],
	])('%s of a word: the error says what to enter', async (name, parameters, wanted) => {
		const { error } = await runOn(service, { ...parameters, [name]: '={{ "x" }}' });
		expect(error?.message).toContain('not "x"');
		expect(error?.description).toBe(
			`Correct the expression, or enter ${wanted}. Nothing was sent.`,
		);
		expect(service.requests).toEqual([]);
	});

	test.each(['0x10', '1e3', '0b11', '1_000', '٣'])(
		'the text "%s" is no number: people write them with decimal digits',
		async (text) => {
			const fields: Array<[string, string, string]> = [
				['start', 'nodeCount', 'Max Concurrent Agents'],
				['start', 'jobCount', 'Jobs'],
				['runAndGetData', 'jobCount', 'Jobs'],
				['listBatches', 'limit', 'Limit'],
			];
			for (const [operation, name, field] of fields) {
				expect(await refused({ operation, [name]: `={{ "${text}" }}` })).toBe(
					`${field} must be a whole number of at least 1, not "${text}"`,
				);
			}
		},
	);

	test.each(nothings)('listBatches and getData: what %s yields', async (nothing) => {
		const nowhere = saying(nothing);
		for (const operation of ['listBatches', 'getData']) {
			expect(await refused({ operation, limit: nothing })).toBe(nowhere('Limit'));
			expect(await refused({ operation, returnAll: nothing })).toBe(nowhere('Return All'));
		}
		expect(await refused({ operation: 'listBatches', orderBy: nothing })).toBe(nowhere('Order By'));
		const options = { pageSize: nothing };
		expect(await refused({ operation: 'getData', options })).toBe(nowhere('Rows per Request'));
	});

	describe('an expression with text around it', () => {
		const entry = (group: string, values: INodeParameters) => ({
			actionParams: { [group]: [{ id: 'a', ...values }] },
		});

		/** Each field of a start with an expression in its text, and what its errors begin with. */
		const fieldsWith = (expression: string): Array<[string, INodeParameters]> => [
			['Task ID', { taskId: `=${expression} ` }],
			['Navigate: URL 1: URL', entry('navigate', { url: `=https://u/?id=${expression}&x=1` })],
			['Navigate: URL 1: URL', entry('navigate', { url: `=https://${expression}u/` })],
			['Input: Text 1: Text', entry('inputText', { text: `=for ${expression}` })],
			['Input: Text 1: Step ID', entry('inputText', { id: `=a-${expression}`, text: 'x' })],
			['Loop: Times 1: Times', entry('loopTimes', { times: `=1${expression}` })],
			['Loop: URL List 1: URLs', entry('urlList', { urls: `=https://u\nhttps://u/${expression}` })],
			['Loop: Text List 1: Texts', entry('textList', { texts: `=x\n${expression}` })],
			['Custom Field 1: Path', entry('custom', { path: `=config.${expression}`, value: 'v' })],
			['Custom Field 1: Value', entry('custom', { value: `={{ 1 }}${expression}` })],
			[
				'Step Values (JSON)',
				{
					specifyActionParams: 'json',
					actionParamsJson: `=[{"id":"a","value":"${expression}"}]`,
				},
			],
		];

		test.each([
			'{{ $json.nope }}',
			'{{ null }}',
			'{{ $json.nope + 1 }}',
			'{{ $json.nope.deeper }}',
			'{{ $json.nope.toUpperCase() }}',
			"{{ DateTime.fromISO('x') }}",
			"{{ DateTime.fromISO('x').toFormat('yyyy') }}",
			"{{ new Date('x') }}",
			'{{ $json.toString }}',
			'{{ "\\}}" && null }}',
		])('start: %s returns nothing', async (expression) => {
			for (const [field, parameters] of fieldsWith(expression)) {
				expect(await refused({ operation: 'start', ...parameters })).toBe(
					`${field} is incomplete: its expression ${expression} returns nothing`,
				);
			}
		});

		test('the second of two is checked, also without text, and one that is not closed', async () => {
			for (const url of [
				'=https://u/{{ 1 }}/{{ $json.nope }}',
				'={{ "https://u/" }}{{ $json.nope }}',
				'=https://u/{{ $json.nope',
			]) {
				const message = await refused({ operation: 'start', ...entry('navigate', { url }) });
				expect(message).toMatch(
					/^Navigate: URL 1: URL is incomplete: its expression \{\{ \$json\.nope( \}\})? returns nothing$/,
				);
			}
		});

		test('other operations: in a field, in an option', async () => {
			const expression = '{{ $json.nope }}';
			expect(await refused({ operation: 'stop', taskId: `=${expression}-x` })).toBe(
				`Task ID is incomplete: its expression ${expression} returns nothing`,
			);
			const options = { deduplication: 'service', deduplicationId: `=mine-${expression}` };
			expect(await refused({ operation: 'getData', options })).toBe(
				`Deduplication ID is incomplete: its expression ${expression} returns nothing`,
			);
			const batchId = { __rl: true, mode: 'id', value: `=1001${expression}` };
			expect(await refused({ operation: 'getData', batch: 'id', batchId })).toBe(
				`Batch ID is incomplete: its expression ${expression} returns nothing`,
			);
		});

		test('a column that was renamed starts nothing, for none of the items', async () => {
			const url = '=https://shop.example/p/{{ $json.sku }}';
			const input = Array.from({ length: 20 }, (_item, n) => ({ SKU: `a${n}` }));
			const { error } = await runOn(
				service,
				{ operation: 'start', ...entry('navigate', { url }) },
				{ input },
			);
			expect(error?.message).toBe(
				'Navigate: URL 1: URL is incomplete: its expression {{ $json.sku }} returns nothing',
			);
			expect(service.requests).toEqual([]);
		});
	});
});

describe('an expression with text around it that yields something', () => {
	/** The step values that were sent, for each item. */
	const sentFor = async (parameters: INodeParameters, input: IDataObject[] = [{}]) => {
		const service = await startScriptedService();
		try {
			service.script('start', () => success(asStarted(service.addBatch())));
			const setup = { input, settings: { onError: 'continueRegularOutput' as const } };
			await runOn(service, { operation: 'start', ...parameters }, setup);
			return service.sentTo('start').map(({ body }) => body.actionParams);
		} finally {
			await service.stop();
		}
	};

	const asSent = (value: string) => JSON.stringify([{ id: 'a', value }]);

	const text = (value: string) => ({ actionParams: { inputText: [{ id: 'a', text: value }] } });

	test.each([
		["=for {{ $json.nope ?? '' }}", 'for '],
		["=for {{ $json.nope || '' }}", 'for '],
		['=for {{ 0 }} {{ false }}', 'for 0 false'],
		['={{ "a" }}{{ "b" }}', 'ab'],
		['=no expression, }} and \\{{ $json.nope }}', 'no expression, }} and \\{{ $json.nope }}'],
		['=for {{ "\\}}" + 1 }}', 'for }}1'],
		['for {{ $json.nope }}', 'for {{ $json.nope }}'],
	])('%s', async (template, sent) => {
		expect(await sentFor(text(template))).toEqual([asSent(sent)]);
	});

	test('in JSON', async () => {
		const actionParamsJson = `=[{"id":"a","value":"{{ $json.nope ?? '' }}"}]`;
		expect(await sentFor({ specifyActionParams: 'json', actionParamsJson })).toEqual([asSent('')]);
	});

	test('for the items that have it alone', async () => {
		const items = [{ sku: 'a' }, {}, { sku: 'c' }];
		expect(await sentFor(text('=for {{ $json.sku }}'), items)).toEqual([
			asSent('for a'),
			asSent('for c'),
		]);
	});
});
