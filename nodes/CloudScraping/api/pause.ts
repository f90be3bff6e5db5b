import { sleep } from 'n8n-workflow';

const maxIntervalMs = 60_000;

/** Share of the time that has passed to wait until the next poll: 10 s after 100 s. */
const intervalGrowth = 0.1;

/** Waits `milliseconds`, or until the execution is cancelled, whichever comes first. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	let stopListening = () => {};
	const cancelled = new Promise<void>((resolve) => {
		const listener = () => resolve();
		signal?.addEventListener('abort', listener, { once: true });
		stopListening = () => signal?.removeEventListener('abort', listener);
	});
	await Promise.race([sleep(milliseconds), cancelled]);
	stopListening();
}

/** Milliseconds until the next poll: a batch that takes long is asked about less often, at most every minute. */
export function nextInterval(first: number, passed: number): number {
	return Math.max(first, Math.min(passed * intervalGrowth, maxIntervalMs));
}
