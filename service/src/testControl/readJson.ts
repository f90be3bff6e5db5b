import type { z } from 'zod';
import { mistakeOf } from '../errors/mistakeOf.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { reasonOf } from '../errors/thrown.ts';

/**
 * Reads JSON by a schema; throws a ServiceError that names the place of the first mistake. `whole`: what all of it
 * is called; `before`: what comes before the names of what is in it.
 */
export function readJson<Output>(
	schema: z.ZodType<Output>,
	json: unknown,
	{ whole, before = '' }: { whole: string; before?: string },
): Output {
	const { success, data, error } = schema.safeParse(json);
	if (success) return data;
	const [issue] = error.issues;
	if (!issue) throw error;
	const isUnknown = issue.code === 'unrecognized_keys';
	const path = isUnknown ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
	const rule = issue.code === 'custom' ? issue.message : mistakeOf(json, issue);
	const what = isUnknown ? 'is not known here' : rule;
	const place = path.length === 0 ? whole : `${before}${path.map(String).join('.')}`;
	throw new ServiceError('invalid', `${place} ${what}. Nothing was changed.`);
}

/** What a JSON text says. Throws a ServiceError where it is none. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new ServiceError(
			'unreadable',
			`This is not JSON: ${reasonOf(error)}. Nothing was changed.`,
		);
	}
}
