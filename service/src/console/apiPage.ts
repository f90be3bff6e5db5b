import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { html, type Html } from '../text/html.ts';
import { page, sendPage, type WholePage } from './layout.ts';
import { table } from './table.ts';

const meaning = z.object({ code: z.number(), means: z.string() });

/** A code, and what it means. */
type Meaning = z.output<typeof meaning>;

/** A JSON schema, as far as it is shown. */
interface Schema {
	type?: string;
	enum?: (string | number)[];
	'x-meanings'?: Meaning[];
	minimum?: number;
	maximum?: number;
	description?: string;
	'x-chosen-here'?: string;
	required?: string[];
	properties?: Record<string, Schema>;
	items?: Schema;
	/** Of what is answered: success, then failure. */
	oneOf?: Schema[];
}

const schema: z.ZodType<Schema> = z.lazy(() =>
	z.object({
		type: z.string().optional(),
		enum: z.array(z.union([z.string(), z.number()])).optional(),
		'x-meanings': z.array(meaning).optional(),
		minimum: z.number().optional(),
		maximum: z.number().optional(),
		description: z.string().optional(),
		'x-chosen-here': z.string().optional(),
		required: z.array(z.string()).optional(),
		properties: z.record(z.string(), schema).optional(),
		items: schema.optional(),
		oneOf: z.array(schema).optional(),
	}),
);

const content = z.object({ content: z.object({ 'application/json': z.object({ schema }) }) });

const operation = z.object({
	summary: z.string(),
	'x-chosen-here': z.string().optional(),
	parameters: z.array(
		z.object({
			in: z.string(),
			name: z.string(),
			required: z.boolean().optional(),
			description: z.string().optional(),
			schema,
		}),
	),
	requestBody: content.optional(),
	responses: z.object({ 200: content, default: content }),
});
type Operation = z.output<typeof operation>;

const description = z.object({
	info: z.object({ description: z.string() }),
	paths: z.record(z.string(), z.record(z.string(), operation)),
});

/** What a client sends, or reads: a line of a table. */
interface Member {
	name: string;
	/** Where a request has it: header, query or body. */
	where?: string;
	isNeeded: boolean;
	schema: Schema;
	description?: string;
}

/** The description of the API, for people. */
export function apiRoutes(server: FastifyInstance): void {
	server.get('/api', (_request, reply) =>
		sendPage(reply, apiPage(description.parse(server.swagger()))),
	);
}

function apiPage({ info, paths }: z.output<typeof description>): WholePage {
	const operations = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, each]) => ({ name: nameOf(method, path), each })),
	);
	const [first] = operations;
	return page({
		title: 'API',
		section: 'api',
		actions: html`<a class="button" href="/openapi.json">OpenAPI 3.1 (JSON)</a>`,
		content: html`
			<p>${info.description}</p>
			<p>Each request carries the header <code>Authorization: Bearer …</code> with an API key.</p>
			${operations.map(({ name, each }) => operationPart(name, each))}
			${
				first &&
				html`<section>
					<h2>Failures</h2>
					${answerTable('Failures', first.each.responses.default)}
				</section>`
			}
		`,
	});
}

function nameOf(method: string, path: string): string {
	return `${method.toUpperCase()} ${path}`;
}

function operationPart(name: string, each: Operation): Html {
	const { summary, parameters, requestBody, responses } = each;
	const sent: Member[] = [
		...parameters.map(({ in: where, required, ...rest }) => ({
			...rest,
			where,
			isNeeded: required ?? false,
		})),
		...membersOf(requestBody?.content['application/json'].schema ?? {}).map((member) => ({
			...member,
			where: 'body',
		})),
	];
	return html`<section>
		<h2>${name}</h2>
		<p>${summary} ${chosen(each)}</p>
		<h3>Request</h3>
		${memberTable(`Request of ${name}`, sent)}
		<details>
			<summary>Answer</summary>
			${answerTable(`Answer of ${name}`, responses[200])}
		</details>
	</section>`;
}

function answerTable(name: string, answer: z.output<typeof content>): Html {
	const { schema } = answer.content['application/json'];
	const [success = schema] = schema.oneOf ?? [];
	return html`${chosen(success)} ${memberTable(name, membersOf(success))}`;
}

function memberTable(name: string, members: Member[]): Html {
	const isRequest = members.some(({ where }) => where !== undefined);
	return table(
		name,
		['Name', ...(isRequest ? ['Where'] : []), 'Type', 'Meaning'],
		members.map(
			({ name, where, isNeeded, schema, description = schema.description }) =>
				html`<tr>
					<th scope="row">
						<code>${name}</code>${!isNeeded && html` <span class="kind">optional</span>`}
					</th>
					${where !== undefined && html`<td data-label="Where">${where}</td>`}
					<td data-label="Type">${typeOf(schema)}</td>
					<td data-label="Meaning">${description} ${chosen(schema)} ${codeList(schema)}</td>
				</tr>`,
		),
		'texts',
	);
}

function codeList({ 'x-meanings': meanings }: Schema): Html | false {
	return (
		meanings !== undefined &&
		html`<ul>
			${meanings.map(({ code, means }) => html`<li><code>${code}</code> ${means}</li>`)}
		</ul>`
	);
}

/** The members of an object, and of those in it, by their paths: data.list[].batchID. */
function membersOf({ properties = {}, required = [] }: Schema, above = ''): Member[] {
	return Object.entries(properties).flatMap(([key, schema]) => {
		const isList = schema.items?.properties !== undefined;
		const name = `${above}${key}${isList ? '[]' : ''}`;
		const isNeeded = required.includes(key);
		return [{ name, isNeeded, schema }, ...membersOf(schema.items ?? schema, `${name}.`)];
	});
}

function typeOf({ type = '', enum: values, minimum, maximum, items }: Schema): string {
	if (values) return values.map((value) => JSON.stringify(value)).join(', ');
	if (items) return `array of ${items.type ?? 'values'}s`;
	const from = minimum === undefined ? '' : ` from ${minimum}`;
	return `${type}${from}${maximum === undefined ? '' : ` to ${maximum}`}`;
}

/** What this service does where the specification says nothing. */
function chosen({ 'x-chosen-here': choice }: { 'x-chosen-here'?: string }): Html | false {
	return choice !== undefined && html`<span class="muted">Here: ${choice}</span>`;
}
