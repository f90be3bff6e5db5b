import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

const stepId: INodeProperties = {
	displayName: 'Step ID',
	name: 'id',
	type: 'string',
	required: true,
	default: '',
	description:
		'ID of the step whose value is replaced, from the configuration of the task in the web console',
};

/** The entries of a kind: the step's ID and the fields that hold its value. */
function group(
	name: string,
	displayName: string,
	...valueFields: INodeProperties[]
): INodePropertyCollection {
	return { name, displayName, values: [stepId, ...valueFields] };
}

/** The collections from which `api/actionParams.ts` builds the action parameters (section 2.6). */
export const stepValuesProperty: INodeProperties = {
	displayName: 'Step Values',
	name: 'actionParams',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Step Value',
	default: {},
	description: 'Values that replace those of the task for this run',
	options: [
		group('navigate', 'Navigate: URL', {
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/products',
			description: 'Page that the step opens',
		}),
		group('inputText', 'Input: Text', {
			displayName: 'Text',
			name: 'text',
			type: 'string',
			default: '',
			description: 'Text that the step types. Leave it empty to type nothing.',
		}),
		group('loopTimes', 'Loop: Times', {
			displayName: 'Times',
			name: 'times',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description: 'How often the loop repeats its steps',
		}),
		group('urlList', 'Loop: URL List', {
			displayName: 'URLs',
			name: 'urls',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'https://example.com/1\nhttps://example.com/2',
			description: 'One URL a line, or an expression that yields an array',
		}),
		group('textList', 'Loop: Text List', {
			displayName: 'Texts',
			name: 'texts',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: 'One text a line, or an expression that yields an array',
		}),
		group(
			'custom',
			'Custom Field',
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '',
				placeholder: 'e.g. config.times',
				description: 'Where the field is in the step. Leave it empty for the default field.',
			},
			{
				displayName: 'Value Type',
				name: 'valueType',
				type: 'options',
				options: [
					{ name: 'Integer', value: 'integer' },
					{ name: 'List', value: 'list', description: 'One text a line, or an array' },
					{ name: 'String', value: 'string' },
				],
				default: 'string',
			},
			{
				displayName: 'Value',
				name: 'value',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
			},
		),
	],
};
