import { numberIn, textIn, type Columns } from './columns.ts';

/** A line of the log about a batch. */
export interface LogLine {
	/** Milliseconds since 1970. */
	time: number;
	level: string;
	message: string;
	/** What the line says besides, as a JSON object. */
	details: string;
}

/** A line that is still to be stored. */
export interface WaitingLine {
	batchID: bigint;
	line: LogLine;
}

/** The newest lines of a batch, the newest first; `dropped`: how many older ones are not kept. */
export interface NewestLines {
	lines: LogLine[];
	dropped: number;
}

/** Where a database keeps the lines. */
export interface LogLines {
	/** Stores lines in their order, and keeps so many of each batch: the newest. */
	add(lines: WaitingLine[], maxKept: number): Promise<void>;
	newest(batchID: bigint, count: number): Promise<NewestLines>;
}

/** Lines of a batch that are kept: the newest. */
export const maxKeptLines = 1_000;

/** Milliseconds for which lines wait, to be stored together. */
const delay = 200;

/** What the log says of each batch. Lines of the last moment before a crash are lost, unless somebody sees to it. */
export class BatchLogStore {
	readonly #lines: LogLines;
	readonly #onError: (error: unknown) => void;
	#waiting: WaitingLine[] = [];
	#timer: NodeJS.Timeout | undefined;
	/** Of each batch, how many lines that are to be seen to are not stored. */
	readonly #odd = new Map<bigint, number>();
	/** Lines are stored in the order in which they came. */
	#stored: Promise<void> = Promise.resolve();

	/** `onError` is told when waiting lines cannot be stored. */
	constructor(lines: LogLines, onError: (error: unknown) => void) {
		this.#lines = lines;
		this.#onError = onError;
	}

	add(batchID: bigint, line: LogLine): void {
		this.#waiting.push({ batchID, line });
		this.#countOdd([{ batchID, line }], 1);
		this.#timer ??= setTimeout(() => void this.flush(), delay).unref();
	}

	/** The newest lines of a batch. */
	async newest(batchID: bigint, count: number): Promise<NewestLines> {
		await this.flush();
		return this.#lines.newest(batchID, count);
	}

	/** Stores what waits. */
	flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const waiting = this.#waiting;
		this.#waiting = [];
		if (waiting.length > 0) {
			this.#stored = this.#stored
				.then(() => this.#lines.add(waiting, maxKeptLines))
				.catch((error: unknown) => this.#onError(error))
				.finally(() => this.#countOdd(waiting, -1));
		}
		return this.#stored;
	}

	/** Whether anything that is odd of a batch is not stored yet. */
	lacksOdd(batchID: bigint): boolean {
		return this.#odd.has(batchID);
	}

	#countOdd(lines: WaitingLine[], by: 1 | -1): void {
		for (const { batchID, line } of lines) {
			if (line.level === 'info') continue;
			const count = (this.#odd.get(batchID) ?? 0) + by;
			if (count > 0) this.#odd.set(batchID, count);
			else this.#odd.delete(batchID);
		}
	}
}

/** Reads a row of the table `batch_log`. */
export function lineFrom(columns: Columns): LogLine {
	return {
		time: numberIn(columns, 'time'),
		level: textIn(columns, 'level'),
		message: textIn(columns, 'message'),
		details: textIn(columns, 'details'),
	};
}
