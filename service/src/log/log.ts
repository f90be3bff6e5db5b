import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { shortened } from '../text/shortened.ts';
import { withoutPasswords } from './withoutPasswords.ts';

/** Bytes of the log that wait at most, for a reader or for room on the disk. */
const maxUnread = 8 * 1024 * 1024;

/** Characters of a text in a line of the log. */
const maxText = 4_000;

/** What a line of the log says, with what is too long for one cut: addresses and texts of pages may be. */
export function inLine(said: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(said).map(([name, value]) => [
			name,
			typeof value === 'string' ? shortened(value, maxText) : value,
		]),
	);
}

/** A log whose lines go there, none of them endless. */
export function createLog(output: LogOutput): Logger {
	return pino({ base: undefined, formatters: { log: inLine } }, output);
}

/**
 * Where the log goes: standard output, and no password in it. Nobody has to read that, and its disk may be
 * full: what is too much is dropped, and how much, said when there is a reader or room again.
 */
export class LogOutput {
	readonly #output: Writable;
	readonly #delay: number;
	#timer: NodeJS.Timeout | undefined;
	#dropped = 0;
	#also: ((line: string) => void) | undefined;

	/** `delay`: milliseconds for which lines wait, to be written together; 0: each is written at once. */
	constructor(output: Writable, delay = 0) {
		this.#output = output;
		this.#delay = delay;
		// The reader is gone: there is nobody left to tell.
		output.on('error', () => undefined);
	}

	/** From now on each line goes to `also` as well, without passwords. */
	forward(also: (line: string) => void): void {
		this.#also = also;
	}

	write(text: string): void {
		const line = withoutPasswords(text);
		this.#also?.(line);
		this.#gather();
		if (this.#output.writableLength > maxUnread) {
			this.#dropped += 1;
			return;
		}
		if (this.#dropped > 0) {
			this.#output.write(
				`${JSON.stringify({ level: 40, time: Date.now(), lines: this.#dropped, msg: 'log lines dropped: nobody has read them, or the disk was full' })}\n`,
			);
			this.#dropped = 0;
		}
		this.#output.write(line);
	}

	/** Writes what waits: also where the process ends at once. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#output.uncork();
	}

	/** Resolves when all lines are written, or after so many milliseconds. */
	async written(milliseconds: number): Promise<void> {
		this.flush();
		const written = new Promise((resolve) => this.#output.write('', resolve));
		await Promise.race([written, sleep(milliseconds)]);
	}

	#gather(): void {
		if (this.#delay === 0 || this.#timer) return;
		this.#output.cork();
		this.#timer = setTimeout(() => this.flush(), this.#delay);
	}
}
