/** A row as it is remembered: its texts stand for its values, and are equal when these are. */
export interface RowPrint {
	/** All values by which rows are compared. */
	values: string;
	/** The values of the key columns. */
	key: string;
}

/** A row that comes out, because it was not known. */
export interface DueRow {
	/** Its position in the rows that were asked about. */
	index: number;
	row: RowPrint;
	/** Where there are key columns: whether its key was known. */
	change?: 'new' | 'changed';
}

/** What became of rows that a memory was asked about. */
export interface Taken {
	due: DueRow[];
	/** Rows that were looked at, from the first on: behind them nobody knows which ones are due. */
	looked: number;
	/** Positions of rows that are not due because a newer batch had their key. */
	older?: readonly number[];
	/** The times of the newest batch before this read and after it, where it has changed. */
	newest?: { before: number | undefined; after: number };
	/** Whether nothing has ever been remembered before. */
	isFirst: boolean;
}

/** What is wanted of the rows that are due. */
export interface Wanted {
	/** How many, by whether nothing was remembered before. */
	limit: (isFirst: boolean) => number;
	/** When the batch of the rows was created, in milliseconds, if that is known. */
	batchTime?: number;
	/** Nothing is to be known of this read afterwards. */
	isTrial?: boolean;
}

/** Knows which rows came out in earlier executions. */
export interface RowMemory {
	/** Rows of one read that it has room for. */
	readonly maxRows: number;
	/** The rows that are due, which are known from now on. */
	take(rows: readonly RowPrint[], wanted: Wanted): Promise<Taken>;
	/** Rows that were due and did not come out after all are due again; the first read was none. */
	giveBack(taken: Taken): Promise<void>;
}

/** How often a read goes on with questions for less than half its limit. */
const maxSmallQuestions = 100;

/**
 * The rows to ask the store about, some at a time: never more than may still come out. For what is asked
 * is remembered, and what another process reads or writes back of it cannot be taken back.
 *
 * The store takes its time each time it is asked. So once half the limit is due, a read ends when the
 * other half does not come soon: what is behind comes out next time.
 */
export function* questions(
	rows: readonly RowPrint[],
	due: readonly DueRow[],
	limit: number,
): Generator<{ first: number; chunk: RowPrint[] }> {
	let smallOnes = 0;
	for (let first = 0; first < rows.length && due.length < limit;) {
		if (due.length >= limit / 2 && ++smallOnes > maxSmallQuestions) return;
		const chunk = rows.slice(first, first + limit - due.length);
		yield { first, chunk };
		first += chunk.length;
	}
}
