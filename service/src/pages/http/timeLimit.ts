/** How long something may take: what it has to wait for by the way does not count. */
export class TimeLimit {
	readonly #onEnd: () => void;
	#left: number;
	#since = 0;
	#timer: NodeJS.Timeout | undefined;
	#isOver = false;

	/** `milliseconds` from now on, after which `onEnd` is called. */
	constructor(milliseconds: number, onEnd: () => void) {
		this.#left = milliseconds;
		this.#onEnd = onEnd;
		this.#start();
	}

	/** Whether all of it has passed. */
	get isOver(): boolean {
		return this.#isOver;
	}

	async except(wait: () => Promise<void>): Promise<void> {
		this.end();
		this.#left -= performance.now() - this.#since;
		await wait();
		this.#start();
	}

	/** It is done in time. */
	end(): void {
		clearTimeout(this.#timer);
	}

	#start(): void {
		this.#since = performance.now();
		this.#timer = setTimeout(() => {
			this.#isOver = true;
			this.#onEnd();
		}, this.#left);
	}
}
