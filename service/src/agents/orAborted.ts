import { once } from 'node:events';

/** Resolves with `work`, or throws the reason of `signal` as soon as that is aborted. */
export async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
	const settled = new AbortController();
	try {
		await Promise.race([work, once(signal, 'abort', { signal: settled.signal })]);
		signal.throwIfAborted();
	} finally {
		settled.abort();
	}
}
