import type { FastifySchemaValidationError } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';

/** Keywords of JSON schema that are about the kind of a value; the others are about its range. */
const kindKeywords = new Set(['type', 'required', 'pattern']);

/** What the caller is told of parameters that a schema refuses. */
export function schemaMistake(errors: FastifySchemaValidationError[]): ServiceError {
	const kind = errors.find(({ keyword }) => kindKeywords.has(keyword));
	const mistake = kind ?? errors[0];
	const message = mistake ? describe(mistake) : 'The parameters are wrong.';
	return new ServiceError(kind ? 'unreadable' : 'invalid', message);
}

function describe({
	keyword,
	instancePath,
	params,
	message,
}: FastifySchemaValidationError): string {
	const name = instancePath.slice(1).replaceAll('/', '.');
	if (keyword === 'required') return `${String(params.missingProperty)} is missing.`;
	if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
		return `${name} must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}.`;
	}
	if (keyword === 'pattern') return `${name} must be an integer.`;
	return `${name || 'The body'} ${message ?? 'is wrong'}.`;
}
