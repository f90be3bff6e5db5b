import { sleep } from 'n8n-workflow';

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
