/** What is to be read: all rows of one batch. */
export interface ReadJob {
	baseUrl: string;
	apiKey: string;
	taskID: string;
	batchID: string;
	/** Column name by field id. */
	columns: Record<string, string>;
	pageSize: number;
	concurrency: number;
	output: 'items' | 'csv' | 'jsonl';
}

/** Reads the rows and returns how many there were. */
export type Contender = (job: ReadJob) => Promise<number>;

/** The ways to read rows that the bench compares. */
export const contenderNames = ['node', 'httpRequest', 'undici'] as const;

export type ContenderName = (typeof contenderNames)[number];

export function isContenderName(value: string): value is ContenderName {
	return contenderNames.some((name) => name === value);
}
