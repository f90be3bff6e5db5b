import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench that answers each message with one. */
export class Child {
	readonly #process: ChildProcess;
	readonly #ended: Promise<unknown>;

	private constructor(child: ChildProcess) {
		this.#process = child;
		this.#ended = once(child, 'exit');
	}

	/** Starts a script; its first message says that it is ready, and is returned with it. */
	static async start(
		script: string,
		args: string[],
		{ env = {}, execArgv = [] }: { env?: Record<string, string>; execArgv?: string[] } = {},
	): Promise<{ child: Child; ready: unknown }> {
		const child = new Child(fork(script, args, { env: { ...process.env, ...env }, execArgv }));
		return { child, ready: await child.#message() };
	}

	async ask(question: Serializable): Promise<unknown> {
		const answer = this.#message();
		this.#process.send(question);
		return await answer;
	}

	/** Lets it end by itself, so that a profile is written. */
	async stop(): Promise<void> {
		if (this.#process.connected) this.#process.disconnect();
		await this.#ended;
	}

	async #message(): Promise<unknown> {
		const dead = this.#ended.then(() => {
			throw new Error('A process of the bench ended before it had answered.');
		});
		const message = new Promise<unknown>((resolve) => this.#process.once('message', resolve));
		return await Promise.race([message, dead]);
	}
}

/** In the child: says that it is ready. */
export function tellParent(message: Serializable): void {
	process.send?.(message);
}
