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
	/** Whether nothing has ever been remembered before. */
	isFirst: boolean;
}

/** What is wanted of the rows that are due. */
export interface Wanted {
	/** How many, by whether nothing was remembered before. */
	limit: (isFirst: boolean) => number;
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

/** Rows to look at together: the store takes its time each time it is asked, however many there are. */
export const rowsAtOnce = 1_000;
