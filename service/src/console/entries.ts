import { hash, randomUUID } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import type { Task } from '../tasks/task.ts';

/** What was entered in a form, by the names of its fields; line breaks are single ones. */
export type Entries = ReadonlyMap<string, string>;

/** Reads the body of a form; what is no text in it is left out. */
export function entriesOf(body: unknown): Entries {
	if (typeof body !== 'object' || body === null) return new Map();
	return new Map(
		Object.entries(body).flatMap(([name, value]: [string, unknown]): [string, string][] =>
			typeof value === 'string' ? [[name, value.replace(/\r\n?/g, '\n')]] : [],
		),
	);
}

/** Names one start: a form that is sent twice starts once. */
export function tokenIn(entries: Entries): string {
	const token = entries.get('token') ?? '';
	return isUuid(token) ? token : randomUUID();
}

/** Short, and the same for the same text only. */
export function markOf(text: string): string {
	return hash('sha256', text).slice(0, 24);
}

/** Tells a task from its other versions. */
export function versionOf(task: Task): string {
	return markOf(JSON.stringify(task));
}
