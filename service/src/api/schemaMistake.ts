import type { z } from 'zod';
import { mistakeOf } from '../errors/mistakeOf.ts';
import { ServiceError } from '../errors/serviceError.ts';

/** Issues about the kind of a value; the others are about its range. */
const kindIssues = new Set(['invalid_type', 'invalid_format']);

/** What the caller is told of parameters, or a body, that a schema refuses. */
export function schemaMistake(value: unknown, { issues }: z.ZodError): ServiceError {
	const kind = issues.find(({ code }) => kindIssues.has(code));
	const issue = kind ?? issues[0];
	const what = issue ? mistakeOf(value, issue) : 'is wrong';
	const name = issue?.path.join('.') || 'The body';
	return new ServiceError(kind ? 'unreadable' : 'invalid', `${name} ${what}.`);
}
