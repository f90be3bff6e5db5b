import type { IDataObject } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { long, settings } from './agentTool';
import { useProcessedData } from './processedData';

/** An agent's answers are short, and rows that were read once do not come again: none may be cut off. */
describe('the tool of an AI agent', () => {
	useProcessedData();
	const service = useScriptedService();

	describe.each(['history', 'service'])('with deduplication (%s), where rows come once', (kind) => {
		const options = {
			deduplication: kind,
			...(kind === 'service' && { deduplicationId: 'agent' }),
		};
		const ids = (rows: IDataObject[]) =>
			rows.filter((row) => 'c0' in row).map((row) => Number.parseInt(String(row.c0 as string), 10));

		test.each([
			['long', 3_000, 1],
			['wide', 100, 30],
		])(
			'no row is missing over several calls, however %s they are',
			async (_kind, length, columns) => {
				service.addBatch({ rows: long(120, length, columns) });
				const seen: number[] = [];
				for (let calls = 0; calls < 3; calls++) {
					const parameters = { operation: 'getData', returnAll: true, options };
					const { rows } = await runOn(service, parameters, { settings });
					expect(JSON.stringify(rows).length).toBeLessThanOrEqual(50_000);
					seen.push(...ids(rows));
					if (calls < 2) expect(rows.at(-1)?.note).toContain('ask again for the next ones');
					else expect(rows.at(-1)?.note).not.toContain('ask again');
				}
				expect(seen).toEqual(Array.from({ length: 120 }, (_row, n) => n));
			},
		);
	});
});
