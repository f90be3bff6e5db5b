import { fork } from 'node:child_process';
import type { Serializable } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench that answers each message with one. */
export interface Child {
	/** Its first message, which says that it is ready. */
	ready: unknown;
	ask(question: Serializable): Promise<unknown>;
	/** Lets it end by itself, so that a profile is written. */
	stop(): Promise<void>;
}

/** Starts a script, and returns once it is ready. */
export async function startChild(
	script: string,
	args: string[],
	{ env = {}, execArgv = [] }: { env?: Record<string, string>; execArgv?: string[] } = {},
): Promise<Child> {
	const child = fork(script, args, { env: { ...process.env, ...env }, execArgv });
	const ended = once(child, 'exit');
	const nextMessage = async () => {
		const dead = ended.then(() => {
			throw new Error('A process of the bench ended before it had answered.');
		});
		const message = new Promise<unknown>((resolve) => child.once('message', resolve));
		return await Promise.race([message, dead]);
	};
	return {
		ready: await nextMessage(),
		async ask(question) {
			const answer = nextMessage();
			child.send(question);
			return await answer;
		},
		async stop() {
			if (child.connected) child.disconnect();
			await ended;
		},
	};
}

/** In the child: says that it is ready, or what it has found. */
export function tellParent(message: Serializable): void {
	process.send?.(message);
}
