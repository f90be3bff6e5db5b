import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { CloudScrapingTrigger } from '../../../nodes/CloudScraping/CloudScrapingTrigger.node';

/**
 * Every parameter that a user can set must be set by an engine test. The engine tests are read as
 * text: a parameter counts as set when its name stands in one of them as a key of an object, and a
 * choice when it stands there as a text or a number. Each operation names the test files that are
 * about it, so that `limit` of one operation is not covered by that of another.
 */
const testsOf: Record<string, string[]> = {
	start: ['badInput', 'startedOnce', 'localService', 'stepValues', 'simplify'],
	stop: ['inputItems', 'chosenBatch', 'localService', 'startedOnce', 'nothingToStop', 'simplify'],
	listBatches: ['localService', 'paging', 'inputItems', 'badInput', 'simplify'],
	getData: [
		'localService',
		'rows',
		'paging',
		'chosenBatch',
		'serviceDeduplication',
		'history',
		'keyColumns',
		'onlyNew',
		'fileOutput',
		'sideBySide',
	],
	runAndGetData: ['runAndGetData', 'cancel', 'runOnLocalService', 'aiTool', 'budgets', 'onlyNew'],
	trigger: ['trigger', 'simplify'],
};

const folder = __dirname;

const sources = new Map(
	readdirSync(folder)
		.filter((file) => file.endsWith('.test.ts') && file !== 'parameters.test.ts')
		.map((file) => [file.replace('.test.ts', ''), readFileSync(join(folder, file), 'utf8')]),
);

const sourceOf = (subject: string) =>
	testsOf[subject].map((name) => sources.get(name) ?? '').join('\n');

/** `name:` as a key, or the shorthand `{ name }`. */
const setsParameter = (source: string, name: string) =>
	new RegExp(`(^|[\\s{,])'?${name}'?\\s*(:|,| })`, 'm').test(source);

interface Parameter {
	name: string;
	/** Values to choose from, apart from the default. */
	choices: string[];
}

/** The parameters with all that are nested in them, as far as they are shown for the operation. */
function parametersOf(properties: INodeProperties[], operation?: string): Parameter[] {
	return properties
		.filter((property) => property.type !== 'hidden' && isShownFor(property, operation))
		.flatMap(withNested);
}

function withNested(property: INodeProperties): Parameter[] {
	const options = property.options ?? [];
	const nested = options.flatMap((option) => {
		if ('values' in option) return groupParameters(option);
		return 'type' in option ? withNested(option) : [];
	});
	const choices = options.flatMap((option) =>
		'value' in option && option.value !== property.default && option.value !== ''
			? [JSON.stringify(option.value).replaceAll('"', "'")]
			: [],
	);
	return [{ name: property.name, choices }, ...nested];
}

function groupParameters({ name, values }: INodePropertyCollection): Parameter[] {
	return [{ name, choices: [] }, ...values.flatMap(withNested)];
}

function isShownFor({ displayOptions }: INodeProperties, operation?: string): boolean {
	const shownFor = displayOptions?.show?.operation;
	return operation === undefined || shownFor === undefined || shownFor.includes(operation);
}

const operationsOf = ({ properties }: INodeTypeDescription) =>
	parametersOf(properties).find(({ name }) => name === 'operation')?.choices ?? [];

const node = new CloudScraping().description;
const trigger = new CloudScrapingTrigger().description;
const operations = ['start', 'stop', 'listBatches', 'getData', 'runAndGetData'];

test('the node has these operations and no others', () => {
	const values = [...operationsOf(node), "'runAndGetData'"].map((value) =>
		value.replaceAll("'", ''),
	);
	expect(values.sort()).toEqual([...operations].sort());
});

describe.each([...operations, 'trigger'])('%s', (subject) => {
	const properties =
		subject === 'trigger'
			? parametersOf(trigger.properties)
			: parametersOf(node.properties, subject).filter(({ name }) => name !== 'operation');
	const ownTests = sourceOf(subject);
	// How parameters that several operations share are checked does not depend on the operation, so
	// that a nested one may be tested with any of them.
	const allTests = [...sources.values()].join('\n');
	const topLevel = new Set(
		(subject === 'trigger' ? trigger : node).properties.map(({ name }) => name),
	);

	test.each(properties.map(({ name }) => name))('%s is set by a test', (name) => {
		const source = topLevel.has(name) && name !== 'taskId' ? ownTests : allTests;
		expect(setsParameter(source, name)).toBe(true);
	});

	const choices = properties.flatMap(({ name, choices: values }) =>
		values.map((value) => [name, value]),
	);

	if (choices.length > 0) {
		test.each(choices)('%s is set to %s by a test', (_name, value) => {
			expect(new RegExp(`[\\s([{:]${value}[\\s)\\]},]`).test(allTests)).toBe(true);
		});
	}
});
