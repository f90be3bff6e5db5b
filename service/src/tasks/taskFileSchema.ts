import { z } from 'zod';
import { taskSchema } from './task.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON schema of task files, by which editors complete and explain what is typed. It is the schema
 * by which the service reads them, but for the ids of steps and fields, which a file may leave out.
 */
export function taskFileSchema(): object {
	const { $schema, ...schema } = z.toJSONSchema(taskSchema, {
		override: ({ zodSchema, jsonSchema }) => {
			// zod repeats the name under which a part stands in $defs: to JSON Schema that is an address.
			delete jsonSchema.id;
			if (jsonSchema.required) {
				jsonSchema.required = jsonSchema.required.filter((name) => name !== 'id');
			}
			if (zodSchema instanceof z.ZodDiscriminatedUnion) sayByWhatToChoose(zodSchema, jsonSchema);
		},
	});
	return {
		$schema,
		title: 'Task of the local Cloud Scraping service',
		description: 'What agents do to scrape rows from web pages, step by step.',
		...schema,
	};
}

/**
 * With `oneOf` editors would guess which of the choices is meant, and name the mistakes of that one.
 * This way they know it by the key that decides, say its values, and check only what it chooses.
 */
function sayByWhatToChoose(union: z.ZodDiscriminatedUnion, schema: Schema): void {
	const key = union.def.discriminator;
	const choices = union.options.map((option, index) => ({
		values: [...(option._zod.propValues?.[key] ?? [])],
		description: keysOf(option).get(key),
		then: schema.oneOf?.[index] ?? {},
	}));
	const isOptional = choices.some(({ values }) => values.includes(undefined));
	delete schema.oneOf;
	Object.assign(schema, {
		type: 'object',
		properties: {
			[key]: {
				description: 'Decides what else stands here.',
				oneOf: choices.flatMap(({ values, description }) =>
					values.filter(isDefined).map((value) => ({ const: value, description })),
				),
			},
			...Object.fromEntries(
				[...keysOf(union)]
					.filter(([name]) => name !== key)
					.map(([name, description]) => [name, { description }]),
			),
		},
		...(!isOptional && { required: [key] }),
		allOf: choices.map(({ values, then }) => ({
			if: {
				properties: { [key]: { enum: values.filter(isDefined) } },
				...(!values.includes(undefined) && { required: [key] }),
			},
			then,
		})),
	});
}

/** The keys of an object with their descriptions; of a choice, those that mean the same in all of it. */
function keysOf(schema: z.core.$ZodType): Map<string, string | undefined> {
	if (schema instanceof z.ZodObject) {
		const shape: Record<string, z.core.$ZodType> = schema.shape;
		return new Map(
			Object.entries(shape).map(([name, value]) => [
				name,
				z.globalRegistry.get(value)?.description,
			]),
		);
	}
	if (!(schema instanceof z.ZodDiscriminatedUnion)) return new Map();
	const [first, ...others] = schema.options.map(keysOf);
	return new Map(
		[...(first ?? [])].filter(([name, description]) =>
			others.every((keys) => keys.get(name) === description),
		),
	);
}

function isDefined<Value>(value: Value | undefined): value is Value {
	return value !== undefined;
}
