import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { chosenHere, failureSchema } from './wire.ts';

/**
 * Has a server describe the routes that are made from now on below /cloud/, by their own schemas. `errorsAs200`:
 * failed requests carry HTTP 200.
 */
export async function describeRoutes(
	server: FastifyInstance,
	{ errorsAs200 }: { errorsAs200: boolean },
): Promise<void> {
	await server.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Cloud Scraping API',
				version: '1',
				description:
					'Starts and stops scraping tasks, lists their batches and reads their rows. What the specification of the API leaves open, and this service does in its own way, is marked with x-chosen-here, and in the console with “Here:”.',
				license: { name: 'MIT', identifier: 'MIT' },
			},
			// Wherever the description was read.
			servers: [{ url: '/' }],
			components: {
				securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
			},
			security: [{ apiKey: [] }],
		},
		transform: ({ schema, url }) =>
			url.startsWith('/cloud/')
				? { schema: described(schema, errorsAs200), url }
				: { schema: { ...schema, hide: true }, url },
	});
}

/** GET /openapi.json: the description, for whoever asks; it needs no API key. */
export function openApiRoute(server: FastifyInstance): void {
	server.get('/openapi.json', { logLevel: 'warn' }, () => server.swagger());
}

/** The header that all requests have, which is checked before any schema. */
const headers = {
	type: 'object',
	required: ['x-cp-request-id'],
	properties: {
		'x-cp-request-id': {
			type: 'string',
			format: 'uuid',
			description: 'A UUID that the client makes up, to trace the request.',
			...chosenHere('Without it, the code is 9000002.'),
		},
	},
};

/** The answer to whatever cannot be done. */
const failure = {
	description: 'The request was refused, or has failed.',
	content: {
		'application/json': {
			schema: {
				...failureSchema,
				...chosenHere(
					'The HTTP status fits the code: 400, 401, 403, 404, 409, 413, 429 or 500; with SERVICE_ERRORS_AS_200 it is 200.',
				),
			},
		},
	},
};

/** The schemas of a route as JSON schemas: of what is sent, as it is written on the wire. */
function described(schema: FastifySchema, errorsAs200: boolean): FastifySchema {
	const { body, querystring, response, ...rest } = schema;
	const answers = z.object({ 200: z.looseObject({}) }).parse(response);
	return {
		...rest,
		headers,
		...(body instanceof z.ZodType && { body: jsonSchemaOf(body) }),
		...(querystring instanceof z.ZodType && { querystring: jsonSchemaOf(querystring) }),
		response: {
			200: errorsAs200 ? orFailure(answers[200]) : answers[200],
			default: failure,
		},
	};
}

function orFailure(success: object): object {
	return {
		description: 'What was asked for, or why it cannot be done.',
		content: { 'application/json': { schema: { oneOf: [success, failureSchema] } } },
	};
}

function jsonSchemaOf(schema: z.ZodType): object {
	const { $schema: _, ...json } = z.toJSONSchema(schema, {
		// What texts of a query stand for, not that they are texts.
		io: 'output',
		unrepresentable: 'any',
		override: ({ zodSchema, jsonSchema }) => {
			if (zodSchema instanceof z.ZodBigInt) {
				Object.assign(jsonSchema, { type: 'integer', format: 'int64', minimum: 1 });
			}
			// What is unknown is ignored.
			delete jsonSchema.additionalProperties;
		},
	});
	return json;
}
