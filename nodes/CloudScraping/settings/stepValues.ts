import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../api/json';
import type { ActionParam } from '../api/wire';
import {
	StepValueError,
	anyText,
	filledIn,
	list,
	listAt,
	oneUrl,
	scalarText,
	text,
	unique,
	wholeNumber,
} from './actionParams';
import { isNothing } from './expressions';
import { nothingIn, shown } from './fieldValues';

type Entry = Record<string, unknown>;

/** A kind of step value: the fields of its entries, and the value (section 4.1) that they hold. */
interface Group {
	key: string;
	label: string;
	fields: INodeProperties[];
	/** `entry` is how errors call it, such as "Loop: Times 1". */
	value: (fields: Entry, entry: string) => ActionParam['value'];
}

const stepId: INodeProperties = {
	displayName: 'Step ID',
	name: 'id',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 55555555-0000-4000-8000-100000000001',
	description:
		"ID of the step to change. The task's page in the web console shows the steps whose values can be replaced.",
};

const groups: Group[] = [
	{
		key: 'navigate',
		label: 'Navigate: URL',
		fields: [
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				default: '',
				placeholder: 'e.g. https://example.com/products',
				description: 'Full address of the page to open',
			},
		],
		value: ({ url }, entry) => oneUrl(text(url, entry, 'URL'), `${entry}: URL`),
	},
	{
		key: 'inputText',
		label: 'Input: Text',
		fields: [
			{
				displayName: 'Text',
				name: 'text',
				type: 'string',
				default: '',
				placeholder: 'e.g. oak chair',
				description: 'Text to type. Leave it empty to type nothing.',
			},
		],
		value: (fields, entry) => anyText(fields.text, `${entry}: Text`),
	},
	{
		key: 'loopTimes',
		label: 'Loop: Times',
		fields: [
			{
				displayName: 'Times',
				name: 'times',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 1,
				description: 'How many times to repeat the steps of the loop',
			},
		],
		value: ({ times }, entry) => wholeNumber(times, entry, 'Times', 1),
	},
	{
		key: 'urlList',
		label: 'Loop: URL List',
		fields: [
			{
				displayName: 'URLs',
				name: 'urls',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
				placeholder: 'e.g. https://example.com/1\nhttps://example.com/2',
				description: 'One URL per line, or an expression that returns an array',
			},
		],
		value: ({ urls }, entry) => list(urls, entry, true),
	},
	{
		key: 'textList',
		label: 'Loop: Text List',
		fields: [
			{
				displayName: 'Texts',
				name: 'texts',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
				placeholder: 'e.g. oak chair\noak table',
				description: 'One text per line, or an expression that returns an array',
			},
		],
		value: ({ texts }, entry) => list(texts, entry),
	},
	{
		key: 'custom',
		label: 'Custom Field',
		fields: [
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '',
				placeholder: 'e.g. config.times',
				description: 'Path of the field in the step. Leave it empty for the default field.',
			},
			{
				displayName: 'Value Type',
				name: 'valueType',
				type: 'options',
				options: [
					{ name: 'Integer', value: 'integer' },
					{ name: 'List', value: 'list', description: 'One text per line, or an array' },
					{ name: 'String', value: 'string' },
				],
				default: 'string',
				description: 'What kind of value the field takes',
			},
			{
				displayName: 'Value',
				name: 'value',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. https://example.com/products',
				description: "What replaces the task's own value",
			},
		],
		value: ({ path, value, valueType = 'string' }, entry) => {
			if (valueType === 'integer') return wholeNumber(value, entry, 'Value');
			if (valueType === 'list')
				return listAt(scalarText(path, `${entry}: Path`).trim(), value, entry);
			if (valueType === 'string') return anyText(value, `${entry}: Value`);
			throw new StepValueError(
				`${entry}: Value Type must be one of integer, list, string, not ${shown(valueType)}`,
			);
		},
	},
];

/** The collections in which the user gives values for steps, without writing JSON. */
export const stepValuesProperty: INodeProperties = {
	displayName: 'Step Values',
	name: 'actionParams',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Step Value',
	default: {},
	description:
		"Values that replace the task's own for this batch. A step is one thing that the task does, such as opening a page, typing text or repeating other steps; the task's page in the web console shows them with their IDs.",
	options: groups.map(({ key, label, fields }) => ({
		name: key,
		displayName: label,
		values: [stepId, ...fields],
	})),
};

/**
 * Action parameters (section 2.6) from those collections, as n8n hands them over (with expressions
 * resolved), in the user's order within each group.
 * Throws a StepValueError that names the entry when something cannot be sent.
 */
export function paramsFromFields(collections: unknown): ActionParam[] {
	const params = namedEntries(collections).map(({ entry, fields, group }) => {
		refuseNothing(fields, [stepId, ...group.fields], entry);
		const id = text(fields.id, entry, 'Step ID');
		// Only entries of the group "Custom Field" have a path.
		const path = scalarText(fields.path, `${entry}: Path`).trim();
		return filledIn({ id, ...(path !== '' && { path }), value: group.value(fields, entry) }, entry);
	});
	return unique(params);
}

/** How errors call the entries of those collections, in the order in which they are sent. */
export function entryNames(collections: unknown): string[] {
	return namedEntries(collections).map(({ entry }) => entry);
}

function namedEntries(collections: unknown): Array<{ entry: string; fields: Entry; group: Group }> {
	if (!isObject(collections)) {
		throw new StepValueError(`The step values must be entries, not ${JSON.stringify(collections)}`);
	}
	return groups.flatMap((group) =>
		entriesOf(collections[group.key]).map((fields, index) => ({
			entry: `${group.label} ${index + 1}`,
			fields,
			group,
		})),
	);
}

/** An expression that yields nothing is a mistake; a field that was left out has its default. */
function refuseNothing(fields: Entry, form: INodeProperties[], entry: string): void {
	const nothing = form.find(({ name }) => Object.hasOwn(fields, name) && isNothing(fields[name]));
	if (!nothing) return;
	throw new StepValueError(`${entry}: ${nothingIn(nothing, fields[nothing.name])}`);
}

function entriesOf(collection: unknown): Entry[] {
	if (isObject(collection)) return [collection];
	return Array.isArray(collection) ? collection.filter(isObject) : [];
}
