/**
 * Stands for the service's own address at the beginning of a task's URL, so that demo tasks work on
 * any port.
 */
export const sitePlaceholder = /^\{site\}(?=\/)/;

export const maximumLoopTimes = 100_000;

const id = { type: 'string', format: 'uuid' };
const name = { type: 'string', minLength: 1 };
const selector = { type: 'string', format: 'selector' };
const times = { type: 'integer', minimum: 1, maximum: maximumLoopTimes };
const url = { type: 'string', format: 'pageUrl' };
const useLoopItem = { const: true };
const all = { const: 'all' };
const custom = { const: 'custom' };
const steps = { type: 'array', minItems: 1, items: { $ref: '#/$defs/step' } };

const object = (required: string[], properties: object) => ({
	type: 'object',
	required,
	properties,
	additionalProperties: false,
});

const step = (type: string, config: object) =>
	object(['id', 'type', 'config'], { id, name, type: { const: type }, config });

/** One of several objects, told apart by a property: mistakes are then reported for the right one. */
const oneOf = (propertyName: string, variants: object[], required = [propertyName]) => ({
	type: 'object',
	required,
	discriminator: { propertyName },
	oneOf: variants,
});

/** An object that says its value itself, or takes it from the item of the surrounding loop. */
const ownOrLoopItem = (own: string, value: object, rest: object = {}, required: string[] = []) => ({
	type: 'object',
	if: { required: ['useLoopItem'] },
	then: object(['useLoopItem', ...required], { useLoopItem, ...rest, [own]: false }),
	else: object([own, ...required], { [own]: value, ...rest }),
});

const list = (listType: string, rest: Record<string, object>) =>
	object(['loopType', 'listType', ...Object.keys(rest), 'steps'], {
		loopType: { const: 'list' },
		listType: { const: listType },
		...rest,
		steps,
	});

const repeated = (
	loopType: string,
	rest: Record<string, object>,
	optional: Record<string, object> = {},
) => ({
	...oneOf('timesMode', [
		object(['loopType', 'timesMode', ...Object.keys(rest), 'steps'], {
			loopType: { const: loopType },
			timesMode: all,
			...rest,
			...optional,
			steps,
		}),
		object(['loopType', 'timesMode', 'times', ...Object.keys(rest), 'steps'], {
			loopType: { const: loopType },
			timesMode: custom,
			times,
			...rest,
			...optional,
			steps,
		}),
	]),
	required: ['loopType', 'timesMode'],
	properties: { loopType: { const: loopType } },
});

const loop = oneOf('loopType', [
	object(['loopType', 'times', 'steps'], { loopType: { const: 'count' }, times, steps }),
	{
		...oneOf('listType', [
			list('urlList', { urls: { type: 'array', minItems: 1, items: url } }),
			list('textList', { texts: { type: 'array', minItems: 1, items: { type: 'string' } } }),
			list('elements', { selector }),
		]),
		required: ['loopType', 'listType'],
		properties: { loopType: { const: 'list' } },
	},
	repeated('page', { selector }),
	repeated('scroll', {}, { selector }),
]);

const field = object(['id', 'name'], {
	id,
	name,
	selector,
	attribute: { type: 'string', minLength: 1 },
	trim: { type: 'boolean' },
});

/** JSON schema of a task file. */
export const taskSchema = {
	...object(['taskID', 'name', 'page', 'steps'], {
		$schema: { type: 'string' },
		taskID: id,
		name,
		page: { enum: ['http', 'browser'] },
		delay: { type: 'integer', minimum: 0, maximum: 60_000 },
		steps,
	}),
	$defs: {
		step: oneOf('type', [
			step('navigate', ownOrLoopItem('url', url)),
			step('inputText', ownOrLoopItem('text', { type: 'string' }, { selector }, ['selector'])),
			step('click', ownOrLoopItem('selector', selector, { waitFor: selector })),
			step('loop', loop),
			step(
				'extractData',
				object(['fields'], { selector, fields: { type: 'array', minItems: 1, items: field } }),
			),
		]),
	},
};
