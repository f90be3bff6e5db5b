import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../service/src/pages/clock.ts';

/**
 * How often this process must have had a look, so many milliseconds apart, without anything that has
 * happened meanwhile, before time goes on: on a busy machine that takes as much longer as all does.
 */
const calmLooks = 15;
const interval = 5;

interface Sleeper {
	until: number;
	wake: () => void;
}

/**
 * A clock for services whose waiting nobody wants to wait for. Time stands still while something
 * happens, and then goes on to the next moment for which somebody waits. So what has to take long
 * takes no time, and what must take no time is seen to take none.
 */
export class TestClock implements Clock {
	readonly #start = Date.now();
	#passed = 0;
	readonly #sleepers = new Set<Sleeper>();
	#looks = 0;
	#next: NodeJS.Timeout | undefined;
	#isHeld = false;

	/** Milliseconds since it was made. */
	get passed(): number {
		return this.#passed;
	}

	now(): number {
		return this.#start + this.#passed;
	}

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		if (milliseconds <= 0) return nextTurn();
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const sleeper = { until: this.#passed + milliseconds, wake: resolve };
		const giveUp = () => reject(signal?.reason);
		signal?.addEventListener('abort', giveUp);
		this.#sleepers.add(sleeper);
		this.stir();
		try {
			await promise;
		} finally {
			this.#sleepers.delete(sleeper);
			signal?.removeEventListener('abort', giveUp);
		}
	}

	/** Resolves once so many wait for time to pass. */
	async sleeping(count: number): Promise<void> {
		while (this.#sleepers.size < count) await nextTurn();
	}

	/** Something happens: time stands still, and goes on a little later if nothing else does. */
	stir(): void {
		this.#looks = 0;
		if (this.#isHeld || this.#sleepers.size === 0) return;
		this.#next ??= setTimeout(() => this.#look(), interval);
	}

	/** Time stands still until what this returns is called. */
	hold(): () => void {
		this.#isHeld = true;
		return () => {
			this.#isHeld = false;
			this.stir();
		};
	}

	#look(): void {
		this.#next = undefined;
		if (this.#isHeld || this.#sleepers.size === 0) return;
		this.#looks += 1;
		if (this.#looks === calmLooks) this.#goOn();
		this.#next ??= setTimeout(() => this.#look(), interval);
	}

	#goOn(): void {
		const ends = [...this.#sleepers].map(({ until }) => until);
		this.#passed = Math.max(this.#passed, Math.min(...ends));
		for (const { until, wake } of this.#sleepers) if (until <= this.#passed) wake();
		this.stir();
	}
}
