import { fc } from '../../../support/fastCheck';
import {
	StepValueError,
	encodeParams,
	paramsFromJson,
} from '../../../../nodes/CloudScraping/settings/actionParams';

describe('step values from JSON', () => {
	test.each([
		['a text', (value: unknown) => JSON.stringify(value)],
		['an array', (value: unknown) => value],
	])('are taken as %s', (_kind, asGiven) => {
		const params = [
			{ id: 'a', value: '' },
			{ id: 'b', path: 'config.times', value: 3 },
			{ id: 'c', value: ['x', 'y'] },
		];
		expect(paramsFromJson(asGiven(params))).toEqual(params);
	});

	test('an empty text or list is none', () => {
		expect(paramsFromJson(' ')).toEqual([]);
		expect(paramsFromJson('[]')).toEqual([]);
	});

	test('an empty path is not sent', () => {
		expect(paramsFromJson([{ id: ' a ', path: ' ', value: 'v' }])).toEqual([
			{ id: 'a', value: 'v' },
		]);
	});

	test.each([
		'undefined',
		'not undefined',
		'/undefined',
		'object Object',
		'https://u/undefined.html?undefined=1&a=undefineds',
		'https://u/Undefined/%75ndefined',
		'see https://u/undefined',
	])('a text may say %s', (value) => {
		expect(paramsFromJson([{ id: 'a', value }])).toEqual([{ id: 'a', value }]);
	});

	test.each<[unknown, string]>([
		['https://u/undefined', 'nothing'],
		['https://undefined/a', 'nothing'],
		['http://u/a/undefined/b', 'nothing'],
		[['https://u/1', 'https://u/a?q=undefined&b=1'], 'nothing'],
		['https://u/?q=[object Object]', 'an object'],
		['https://u/?q=%5Bobject%20Object%5D', 'an object'],
		[['x', 'for [object Object]'], 'an object'],
	])('%j is refused: an expression in it yields %s', (value, yielded) => {
		expect(() => paramsFromJson([{ id: 'a', value }])).toThrow(
			new StepValueError(
				`Step value 1: an expression in ${String([value].flat().at(-1))} returns ${yielded}`,
			),
		);
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
		[
			[
				{ id: 'a', value: 'v' },
				{ id: 'b', vlaue: 'v' },
			],
			'Step value 2: "vlaue" is not one of id, path, value',
		],
		[
			[{ id: 'a', Path: 'config.url', value: 'v' }],
			'Step value 1: "Path" is not one of id, path, value',
		],
		[[{ id: 'a', path: 5, value: 'v' }], 'Step value 1: path must be text like config.url'],
		[[{ id: 'a', path: null, value: 'v' }], 'Step value 1: path must be text like config.url'],
		[[{ id: 'a', path: undefined, value: 'v' }], 'Step value 1: path must be text like config.url'],
		[
			[{ id: 'a' }],
			'Step value 1: value must be text, a whole number or a list of texts, not missing',
		],
		[
			[{ id: 'a', value: null }],
			'Step value 1: value must be text, a whole number or a list of texts, not null',
		],
		[[{ id: 'a', value: [] }], 'Step value 1: the list is empty'],
		[[{ id: 'a', value: ['x', null] }], 'Step value 1, item 2 must be text, not null'],
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
		const entry = text.filter((item) => item.trim() !== '');
		const value = fc.oneof(text, fc.maxSafeInteger(), fc.array(entry, { minLength: 1 }));
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
});
