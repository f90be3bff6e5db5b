import { fc } from '../../../support/fastCheck';
import { StepValueError } from '../../../../nodes/CloudScraping/settings/actionParams';
import { paramsFromFields } from '../../../../nodes/CloudScraping/settings/stepValues';

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
			{ id: 'd', value: ['http://1', 'http://2'] },
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
		expect(paramsFromFields({ navigate: { id: 'a', url: 'https://u' } })).toHaveLength(1);
		expect(paramsFromFields({ navigate: [], custom: undefined })).toEqual([]);
		expect(paramsFromFields({})).toEqual([]);
	});

	test.each([
		[{ inputText: [{ id: 'a', text: '' }] }, ''],
		[{ inputText: [{ id: 'a' }] }, ''],
		[{ inputText: [{ id: 'a', text: 12 }] }, '12'],
		[{ inputText: [{ id: 'a', text: { b: 1 } }] }, '{"b":1}'],
		[{ loopTimes: [{ id: 'a', times: ' 4 ' }] }, 4],
		[{ textList: [{ id: 'a', texts: [1, 'b', ' ', ''] }] }, ['1', 'b']],
		[{ textList: [{ id: 'a', texts: '["x, y", "z"]' }] }, ['x, y', 'z']],
		[{ textList: [{ id: 'a', texts: '[x]\ny' }] }, ['[x]', 'y']],
		[
			{ urlList: [{ id: 'a', urls: '["https://a/?b=c,d","http://e"]' }] },
			['https://a/?b=c,d', 'http://e'],
		],
		[{ urlList: [{ id: 'a', urls: ['https://a', ''] }] }, ['https://a']],
	])('%j is sent as %j', (groups, value) => {
		expect(paramsFromFields(groups)).toEqual([{ id: 'a', value }]);
	});

	test.each([
		'https://web.archive.example/web/2020/https://example.com',
		'https://a.example/?u=https://b.example/;x|y',
		'https://a.example/?list=1,https://b.example',
	])('takes an address with another one in it: %s', (url) => {
		expect(paramsFromFields({ urlList: [{ id: 'a', urls: url }] })).toEqual([
			{ id: 'a', value: [url] },
		]);
	});

	test.each<[string, Parameters<typeof paramsFromFields>[0], string]>([
		['a list', [], 'The step values must be entries, not []'],
		['no step', { navigate: [{ url: 'https://u' }] }, 'Navigate: URL 1: Step ID is empty'],
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
			'Loop: Times 1: Times must be a whole number of at least 1, not 1.5',
		],
		[
			'times of 0',
			{ loopTimes: [{ id: 'a', times: 0 }] },
			'Loop: Times 1: Times must be a whole number of at least 1, not 0',
		],
		[
			'no times',
			{ loopTimes: [{ id: 'a' }] },
			'Loop: Times 1: Times must be a whole number of at least 1, not empty',
		],
		[
			'times that are a text',
			{ loopTimes: [{ id: 'a', times: 'often' }] },
			'Loop: Times 1: Times must be a whole number of at least 1, not "often"',
		],
		...[
			['a comma between them', 'https://a, https://b'],
			['a comma and no space between them', 'https://a/x,https://b/y'],
			['a semicolon between them', 'https://a/x;https://b/y'],
			['a line break that was escaped', 'https://a/x\\nhttps://b/y'],
			['a line break of HTML', 'https://a/x?q=1<br/>https://b/y'],
			['a bar', 'https://a/x|HTTP://b/y'],
			['an address without its beginning', 'example.com'],
			['another protocol', 'ftp://a'],
		].map(([kind, urls]): [string, Parameters<typeof paramsFromFields>[0], string] => [
			`URLs with ${kind}`,
			{ urlList: [{ id: 'a', urls: `https://first\n${urls}` }] },
			`Loop: URL List 1, item 2 must be one web address like https://example.com, not ${urls}: enter one per line`,
		]),
		[
			'a custom list of URLs with another text',
			{ custom: [{ id: 'a', path: 'config.urls', valueType: 'list', value: 'x' }] },
			'Custom Field 1, item 1 must be one web address like https://example.com, not x: enter one per line',
		],
		[
			'null in a list',
			{ textList: [{ id: 'a', texts: ['x', null] }] },
			'Loop: Text List 1, item 2 must be text, not null',
		],
		...[undefined, null].flatMap(
			(nothing): Array<[string, Parameters<typeof paramsFromFields>[0], string]> => [
				[
					'nothing as text',
					{ inputText: [{ id: 'a', text: nothing }] },
					'Input: Text 1: Text is empty: its expression returns nothing',
				],
				[
					'nothing as custom value',
					{ custom: [{ id: 'a', value: nothing }] },
					'Custom Field 1: Value is empty: its expression returns nothing',
				],
				[
					'nothing as path',
					{ custom: [{ id: 'a', path: nothing, value: 'b' }] },
					'Custom Field 1: Path is empty: its expression returns nothing',
				],
				[
					'nothing as list',
					{ urlList: [{ id: 'a', urls: nothing }] },
					'Loop: URL List 1: URLs is empty: its expression returns nothing',
				],
			],
		),
		['no URLs', { urlList: [{ id: 'a', urls: [] }] }, 'Loop: URL List 1: the list is empty'],
		[
			'empty lines',
			{ textList: [{ id: 'a', texts: '\n \n' }] },
			'Loop: Text List 1: the list is empty',
		],
		[
			'an object in a list',
			{ textList: [{ id: 'a', texts: ['x', { y: 1 }] }] },
			'Loop: Text List 1, item 2 must be text, not {"y":1}',
		],
		[
			'times that are a number for programs',
			{ loopTimes: [{ id: 'a', times: '1e3' }] },
			'Loop: Times 1: Times must be a whole number of at least 1, not "1e3"',
		],
		[
			'a custom integer that is a number for programs',
			{ custom: [{ id: 'a', valueType: 'integer', value: '0x10' }] },
			'Custom Field 1: Value must be a whole number, not "0x10"',
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
			{ navigate: [{ id: 'a', url: 'https://u' }], inputText: [{ id: ' a ', text: 't' }] },
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
