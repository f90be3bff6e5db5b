import type { Connection } from '../api/connection';
import { isObject } from '../api/json';
import { timeOf } from '../api/times';
import { toInteger } from '../api/wire';
import type { Ends } from './reusedIds';
import type { TriggerState } from './triggerState';

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
		ends: readEnds(value.ends),
		// 0 stands for times that were not understood, null for no bound: nothing behind known ones is new.
		floor: timeOf(value.floor) || Infinity,
		pending: texts(value.pending),
		stalled: readCounts(value.stalled),
		incomplete: Number(value.incomplete) || 0,
		gap: Number(value.gap) || 0,
		counted: toInteger(value.counted) ?? Infinity,
		pause: Number(value.pause) || 0,
	};
}

function texts(value: unknown): string[] {
	return Array.isArray(value) ? value.map(String) : [];
}

/** Earlier versions stored the end alone. */
function readEnds(value: unknown): Ends {
	const entries = isObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(
		entries.map(([id, stored]) => {
			const [end, duration] = Array.isArray(stored) ? stored.map(Number) : [Number(stored)];
			return [id, duration === undefined ? [end] : [end, duration]];
		}),
	);
}

/** Numbers of polls by batch. */
export function readCounts(value: unknown): Record<string, number> {
	const entries = isObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(entries.map(([id, count]) => [id, Number(count)]));
}

/** A slash at the end of the base URL, which a source begins with, makes no other service. */
function withoutEndSlash(source: string): string {
	return source.replace(/^(\S*?)\/+ /, '$1 ');
}
