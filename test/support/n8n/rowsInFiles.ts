import { parse } from 'csv-parse/sync';
import type { Execution } from '../../../playground/execution.ts';
import { objectAt, textAt } from '../../../playground/json.ts';
import type { N8nApi } from '../../../playground/n8nApi.ts';

/** The rows of all CSV files that a node gave out, downloaded from n8n and read by another library. */
export async function rowsInFiles(
	api: N8nApi,
	{ runs }: Execution,
	node: string,
): Promise<unknown[]> {
	const rows: unknown[] = [];
	for (const item of runs[node][0].outputs[0]) {
		const id = textAt(objectAt(objectAt(item, 'binary'), 'data'), 'id');
		const query = new URLSearchParams({ id, action: 'download' });
		const csv = await api.getText(`/rest/binary-data?${query.toString()}`);
		const parsed: unknown[] = parse(csv, { columns: true, bom: true });
		rows.push(...parsed);
	}
	return rows;
}
