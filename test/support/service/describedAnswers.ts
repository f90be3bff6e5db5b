import { Ajv2020 } from 'ajv/dist/2020.js';

/** What of the description of the API answers are checked against. */
interface Description {
	paths: Record<string, Record<string, Operation> | undefined>;
}
interface Operation {
	responses: Record<string, { content: Record<string, { schema: object }> }>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/** That of the service that was asked first: all are made of the same sources. */
let description: Promise<Description> | undefined;

/** The description that a service gives of its API; undefined where it gives none, as one that is not there. */
export async function describedBy(baseUrl: string): Promise<Description | undefined> {
	description ??= fetch(`${baseUrl}/openapi.json`).then(async (response) => {
		if (!response.ok) throw new Error(`There is no /openapi.json: HTTP ${response.status}`);
		return (await response.json()) as Description;
	});
	return description.catch(() => (description = undefined));
}

/** Throws where an answer is none that the description has: by its code, one of success or of failure. */
export function expectDescribed(
	{ paths }: Description,
	{ method, path, json }: { method: string; path: string; json: string },
): void {
	const answer = JSON.parse(json) as { code?: unknown };
	// What is refused is alike everywhere, also where nothing is.
	const failing = paths['/cloud/start']?.post;
	const succeeding = paths[path]?.[method.toLowerCase()];
	const { responses } = (answer.code === 0 ? succeeding : failing) ?? {};
	const schema =
		responses?.[answer.code === 0 ? '200' : 'default']?.content['application/json']?.schema;
	if (!schema)
		throw new Error(`${method} ${path} is not described, and answers ${json.slice(0, 200)}`);
	if (ajv.validate(schema, answer)) return;
	throw new Error(`${method} ${path} answers what is not described: ${ajv.errorsText()}`);
}
