import type { Connection } from '../api/connection';
import { isObject } from '../api/json';
import type { TriggerState } from './endedBatches';

/** Whose batches a trigger watches: a task at a service. */
export function sourceOf({ baseUrl }: Connection, taskId: string): string {
	return withoutEndSlash(`${baseUrl.href} ${taskId}`);
}

/** The state as n8n has stored it, also from an earlier version; undefined when there is none. */
export function readState(value: unknown): TriggerState | undefined {
	if (!isObject(value) || typeof value.source !== 'string') return undefined;
	return {
		source: withoutEndSlash(value.source),
		known: texts(value.known),
		ends: readCounts(value.ends),
		floor: Number(value.floor),
		pending: texts(value.pending),
		stalled: readCounts(value.stalled),
		incomplete: Number(value.incomplete) || 0,
	};
}

function texts(value: unknown): string[] {
	return Array.isArray(value) ? value.map(String) : [];
}

/** Numbers by batch: of polls, or when it ended. */
export function readCounts(value: unknown): Record<string, number> {
	const entries = isObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(entries.map(([id, count]) => [id, Number(count)]));
}

/** A slash at the end of the base URL, which a source begins with, makes no other service. */
function withoutEndSlash(source: string): string {
	return source.replace(/^(\S*?)\/+ /, '$1 ');
}
