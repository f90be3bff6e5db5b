import fc from 'fast-check';

import {
	StepValueError,
	encodeParams,
	paramsFromFields,
	paramsFromJson,
} from '../../../nodes/CloudScraping/settings/actionParams';

describe('step values from the form', () => {
	test('each group becomes the value that its step takes', () => {
		const params = paramsFromFields({
			custom: [
				{ id: 'f', path: ' config.url ', valueType: 'string', value: 'http://f' },
				{ id: 'g', path: '', valueType: 'integer', value: '-3' },
				{ id: 'h', path: 'config.texts', valueType: 'list', value: 'x\ny' },
				{ id: 'i', value: '' },
			],
			textList: [{ id: 'e', texts: ' one \r\n\r\ntwo ' }],
			urlList: [{ id: 'd', urls: ['http://1', ' http://2 '] }],
			loopTimes: [{ id: 'c', times: 3 }],
			inputText: [{ id: 'b', text: ' as it is ' }],
			navigate: [{ id: ' a ', url: ' http://a ' }],
		});
		expect(params).toEqual([
			{ id: 'a', value: 'http://a' },
			{ id: 'b', value: ' as it is ' },
			{ id: 'c', value: 3 },
			{ id: 'd', value: ['http://1', ' http://2 '] },
			{ id: 'e', value: ['one', 'two'] },
			{ id: 'f', path: 'config.url', value: 'http://f' },
			{ id: 'g', value: -3 },
			{ id: 'h', path: 'config.texts', value: ['x', 'y'] },
			{ id: 'i', value: '' },
		]);
	});

	test('keeps the order of the user within a group', () => {
		const inputText = ['z', 'a', 'm'].map((id) => ({ id, text: id }));
		expect(paramsFromFields({ inputText }).map(({ id }) => id)).toEqual(['z', 'a', 'm']);
	});

	test('takes one entry as well as a list of entries, and nothing as no entry', () => {
		expect(paramsFromFields({ navigate: { id: 'a', url: 'u' } })).toHaveLength(1);
		expect(paramsFromFields({ navigate: [], custom: undefined })).toEqual([]);
		expect(paramsFromFields({})).toEqual([]);
	});

	test.each([
		[{ inputText: [{ id: 'a', text: '' }] }, ''],
		[{ inputText: [{ id: 'a' }] }, ''],
		[{ inputText: [{ id: 'a', text: 12 }] }, '12'],
		[{ inputText: [{ id: 'a', text: { b: 1 } }] }, '{"b":1}'],
		[{ loopTimes: [{ id: 'a', times: ' 4 ' }] }, 4],
		[{ urlList: [{ id: 'a', urls: [1, 'b'] }] }, ['1', 'b']],
	])('%j is sent as %j', (groups, value) => {
		expect(paramsFromFields(groups)).toEqual([{ id: 'a', value }]);
	});

	test.each<[string, Parameters<typeof paramsFromFields>[0], string]>([
		['a list', [], 'The step values must be entries, not []'],
		['no step', { navigate: [{ url: 'u' }] }, 'Navigate: URL 1: Step ID is empty'],
		[
			'an empty step in the second entry',
			{
				inputText: [
					{ id: 'a', text: '' },
					{ id: ' ', text: '' },
				],
			},
			'Input: Text 2: Step ID is empty',
		],
		['no URL', { navigate: [{ id: 'a', url: ' ' }] }, 'Navigate: URL 1: URL is empty'],
		[
			'times of 1.5',
			{ loopTimes: [{ id: 'a', times: 1.5 }] },
			'Loop: Times 1: Times must be a whole number from 1, not 1.5',
		],
		[
			'times of 0',
			{ loopTimes: [{ id: 'a', times: 0 }] },
			'Loop: Times 1: Times must be a whole number from 1, not 0',
		],
		[
			'no times',
			{ loopTimes: [{ id: 'a' }] },
			'Loop: Times 1: Times must be a whole number from 1, not empty',
		],
		[
			'times that are a text',
			{ loopTimes: [{ id: 'a', times: 'often' }] },
			'Loop: Times 1: Times must be a whole number from 1, not "often"',
		],
		['no URLs', { urlList: [{ id: 'a', urls: [] }] }, 'Loop: URL List 1: the list is empty'],
		[
			'empty lines',
			{ textList: [{ id: 'a', texts: '\n \n' }] },
			'Loop: Text List 1: the list is empty',
		],
		[
			'an object in a list',
			{ textList: [{ id: 'a', texts: ['x', { y: 1 }] }] },
			'Loop: Text List 1, item 2 must be a text, not {"y":1}',
		],
		[
			'a custom integer that is none',
			{ custom: [{ id: 'a', valueType: 'integer', value: '2.5' }] },
			'Custom Field 1: Value must be a whole number, not "2.5"',
		],
		[
			'a custom list that is empty',
			{ custom: [{ id: 'a', valueType: 'list', value: '' }] },
			'Custom Field 1: the list is empty',
		],
		[
			'two values for a default field',
			{ navigate: [{ id: 'a', url: 'u' }], inputText: [{ id: ' a ', text: 't' }] },
			'Step a has two values for its default field',
		],
		[
			'two values for a path',
			{
				custom: [
					{ id: 'a', path: 'p', value: '1' },
					{ id: 'a', path: ' p', value: '2' },
				],
			},
			'Step a has two values for the field p',
		],
	])('%s is refused by name', (_kind, groups, message) => {
		expect(() => paramsFromFields(groups)).toThrow(new StepValueError(message));
	});

	test('the same step may have values for several fields', () => {
		const custom = ['', 'p', 'q'].map((path) => ({ id: 'a', path, value: path }));
		expect(paramsFromFields({ custom })).toHaveLength(3);
	});
});

describe('step values from JSON', () => {
	test.each([
		['a text', (value: unknown) => JSON.stringify(value)],
		['an array', (value: unknown) => value],
	])('are taken as %s', (_kind, asGiven) => {
		const params = [
			{ id: 'a', value: '' },
			{ id: 'b', path: 'config.times', value: 3 },
			{ id: 'c', value: ['x', ''] },
		];
		expect(paramsFromJson(asGiven(params))).toEqual(params);
	});

	test('an empty text or list is none', () => {
		expect(paramsFromJson(' ')).toEqual([]);
		expect(paramsFromJson('[]')).toEqual([]);
	});

	test('what an entry has besides is not sent, an empty path neither', () => {
		const entries = [
			{ id: ' a ', path: ' ', value: 'v', note: 'mine' },
			{ id: 'b', path: null, value: 'v' },
		];
		expect(paramsFromJson(entries)).toEqual([
			{ id: 'a', value: 'v' },
			{ id: 'b', value: 'v' },
		]);
	});

	const noArray = (value: string) =>
		`The step values must be a JSON array like [{"id": "…", "value": "…"}], not ${value}`;

	test.each<[unknown, string]>([
		['{', noArray('{')],
		['{"id":"a","value":"b"}', noArray('{"id":"a","value":"b"}')],
		['null', noArray('null')],
		[null, noArray('null')],
		[5, noArray('5')],
		['x'.repeat(1_000), noArray(`${'x'.repeat(100)}…`)],
		[
			[{ id: 'a', value: 2 ** 53 }],
			'Step value 1: value is too large: whole numbers go up to 9007199254740991',
		],
		['["a"]', 'Step value 1 is not an object with id and value'],
		[[{ id: 'a', value: 'v' }, null], 'Step value 2 is not an object with id and value'],
		[[{ value: 'v' }], 'Step value 1: id is empty'],
		[[{ id: 'a', path: 5, value: 'v' }], 'Step value 1: path must be a text like config.url'],
		[
			[{ id: 'a' }],
			'Step value 1: value must be a text, a whole number or a list of texts, not missing',
		],
		[
			[{ id: 'a', value: null }],
			'Step value 1: value must be a text, a whole number or a list of texts, not null',
		],
		[
			[{ id: 'a', value: [] }],
			'Step value 1: value must be a text, a whole number or a list of texts, not []',
		],
		[
			[{ id: 'a', value: ['x', 1] }],
			'Step value 1: value must be a text, a whole number or a list of texts, not ["x",1]',
		],
		[[{ id: 'a', value: 1.5 }], 'Step value 1: value must be a whole number, not 1.5'],
		[
			[
				{ id: 'a', value: 1 },
				{ id: 'a', value: 2 },
			],
			'Step a has two values for its default field',
		],
	])('%j is refused by name', (json, message) => {
		expect(() => paramsFromJson(json)).toThrow(new StepValueError(message));
	});
});

describe('encodeParams', () => {
	test('sends nothing when there is nothing to send', () => {
		expect(encodeParams([])).toBeUndefined();
	});

	test('survives encoding, whatever the texts', () => {
		const text = fc.string({ unit: 'binary' });
		const value = fc.oneof(text, fc.maxSafeInteger(), fc.array(text, { minLength: 1 }));
		const path = text.map((name) => name.trim());
		const params = fc.uniqueArray(fc.record({ id: fc.uuid(), path, value }), {
			selector: ({ id }) => id,
		});
		fc.assert(
			fc.property(params, (given) => {
				const sent = given.map(({ path, ...rest }) => (path === '' ? rest : { path, ...rest }));
				const decoded: unknown = JSON.parse(encodeParams(paramsFromJson(sent)) ?? '[]');
				expect(decoded).toEqual(sent);
			}),
		);
	});

	test('a list of lines is the list of its texts', () => {
		const line = fc
			.string({ minLength: 1 })
			.map((entry) => entry.trim())
			.filter(Boolean);
		fc.assert(
			fc.property(fc.array(line, { minLength: 1 }), (lines) => {
				fc.pre(lines.every((entry) => !/[\r\n]/.test(entry)));
				const textList = [{ id: 'a', texts: lines.join('\n') }];
				expect(paramsFromFields({ textList })).toEqual([{ id: 'a', value: lines }]);
			}),
		);
	});
});
