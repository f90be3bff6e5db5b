import { NodeOperationError } from 'n8n-workflow';

import type { Connection } from './connection';

/** n8n tells a cancelled execution from a failed one by the word "canceled", spelled like this. */
const wasCancelled = 'The execution was canceled';

/** Throws when the user has cancelled the execution. */
export function throwIfCancelled({ node, cancelSignal }: Connection): void {
	if (cancelSignal?.aborted) throw new NodeOperationError(node, wasCancelled);
}

/** Whether `throwIfCancelled` has thrown it. */
export function isCancel({ message }: Error): boolean {
	return message === wasCancelled;
}

/** The same connection, cancelled by `signal` as well. */
export function cancelledBy(connection: Connection, signal: AbortSignal): Connection {
	const { cancelSignal } = connection;
	return withSignal(connection, cancelSignal ? eitherOf(cancelSignal, signal) : signal);
}

/** Aborted as soon as one of them is. `timeout` may be known to nobody else. */
export function eitherOf(signal: AbortSignal, timeout: AbortSignal): AbortSignal {
	// Node.js 20 throws away a timeout that nobody listens to, and then it is never over.
	timeout.addEventListener('abort', () => undefined, { once: true });
	return AbortSignal.any([signal, timeout]);
}

/**
 * The same connection, cancelled by `signal` only. n8n's helper puts the execution's own cancel signal
 * on every request, so a request that must outlive a cancel (stopping the task) needs another context.
 */
export function withSignal(connection: Connection, signal: AbortSignal | undefined): Connection {
	const context = new Proxy(connection.context, {
		// A poll and a dropdown have no cancel signal of their own; n8n's helper looks whether there is one.
		has: (target, key) => key === 'getExecutionCancelSignal' || Reflect.has(target, key),
		get(target, key): unknown {
			if (key === 'getExecutionCancelSignal') return () => signal;
			const value: unknown = Reflect.get(target, key);
			return value;
		},
	});
	return { ...connection, context, cancelSignal: signal };
}
