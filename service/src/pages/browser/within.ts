import { setTimeout as sleep } from 'node:timers/promises';

/** What a promise resolves to, or undefined after so many milliseconds. */
export async function within<Result>(
	milliseconds: number,
	promise: Promise<Result> | undefined,
): Promise<Result | undefined> {
	const settled = new AbortController();
	const late = sleep(milliseconds, undefined, { signal: settled.signal }).catch(() => undefined);
	try {
		return await Promise.race([promise, late]);
	} finally {
		settled.abort();
	}
}
