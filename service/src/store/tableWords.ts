/** What stands in a table, as people call it: one of it, and several. */
export const tableWords = {
	batches: ['batch', 'batches'],
	jobs: ['job', 'jobs'],
	rows: ['row', 'rows'],
	failed_pages: ['failed page', 'failed pages'],
	selectors: ['selector', 'selectors'],
	step_pages: ['kind of page of a step', 'kinds of pages of steps'],
	batch_log: ['line of a log', 'lines of logs'],
	deduplications: ['deduplication ID', 'deduplication IDs'],
	returned_rows: ['row that was returned with one', 'rows that were returned with them'],
	api_keys: ['API key made in the console', 'API keys made in the console'],
	tasks: ['task', 'tasks'],
	started_tasks: ['task as it was started', 'tasks as they were started'],
	starts: ['start', 'starts'],
	api_key_uses: ['last use of an API key', 'last uses of API keys'],
	deleted_tasks: ['deleted task', 'deleted tasks'],
	first_tasks: ['mark of a first start', 'marks of a first start'],
	kept_keys: ['API key made up at a start', 'API keys made up at a start'],
	console_sessions: ['session of the console', 'sessions of the console'],
} as const;

export type NamedTable = keyof typeof tableWords;

/** So many entries of a table, in words: "5 batches". */
export function entriesOf(table: NamedTable, count: number): string {
	const [one, several] = tableWords[table];
	return `${count} ${count === 1 ? one : several}`;
}
