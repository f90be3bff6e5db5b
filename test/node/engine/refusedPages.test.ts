import type { INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, refusal } from '../../support/scriptedService/scriptedAnswers';

// Behind a list there often is an index that gives no page beyond a place, 10,000 as a rule.

describe('a service that gives the first 40 of 60 rows, whatever the size of a page', () => {
	const service = useScriptedService();

	beforeEach(() => {
		vi.spyOn(Math, 'random').mockReturnValue(0);
	});

	afterEach(() => {
		vi.restoreAllMocks();
	});

	const rows = Array.from({ length: 60 }, (_row, n) => `{"n":${n}}`);
	const first40 = Array.from({ length: 40 }, (_row, n) => n);
	const said =
		'The service counts 60 rows in batch 1001, but returned 40, and refuses to return the rest';

	const refuse = (answer = refusal(9000001, 'page * size must not exceed 40')) => {
		service.addBatch({ rows });
		service.script('data', ({ query }) =>
			Number(query.page) * Number(query.size) > 40 ? answer : undefined,
		);
	};

	const getData = async (options: INodeParameters = {}, parameters: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'getData',
			returnAll: true,
			...parameters,
			options: { pageSize: 10, concurrency: 2, ...options },
		});

	test('is an error that says how far it went, and what to set', async () => {
		refuse();
		const { error, rows: came } = await getData();
		expect(came).toEqual([]);
		expect(error?.message).toBe(said);
		expect(error?.description).toContain('The service says: page * size must not exceed 40');
		expect(error?.description).toContain("set 'Limit' to 40");
		expect(error?.description).toContain('On Missing Rows');
		expect(error?.description).not.toContain('Correct their values');
		// Those in flight, and the next row alone.
		expect(service.sentTo('data').length).toBeLessThanOrEqual(4 + 2 + 1);
	});

	test.each([
		['a code of its own', refusal(1234, 'too far', 400)],
		['a page without a code', { status: 416, body: 'too far' }],
	])('may refuse with %s', async (_how, answer) => {
		refuse(answer);
		expect((await getData()).error?.message).toBe(said);
	});

	test.each([10, 15, 7, 40])('gives its 40 with a hint, in pages of %i', async (pageSize) => {
		refuse();
		const { rows: came, hints } = await getData({ pageSize, onMissingRows: 'return' });
		expect(came.map(({ n }) => n)).toEqual(first40);
		expect(hints[1]).toBe(`${said}.`);
	});

	test('gives its 40 into a file', async () => {
		refuse();
		const { items } = await getData({ onMissingRows: 'return' }, { output: 'file' });
		expect(items.map(({ json }) => json.rows)).toEqual([40]);
	});

	test.each([40, 25])('gives up to 40 that a limit asks for: %i', async (limit) => {
		refuse();
		const { rows: came, error } = await getData({}, { returnAll: false, limit });
		expect(error).toBeUndefined();
		expect(came).toHaveLength(limit);
	});

	test('is told apart from one that counts no more either, and refuses what is behind the end', async () => {
		service.addBatch({ rows: rows.slice(0, 40), lineCount: 40 });
		service.script(
			({ query }) => Number(query.page) * Number(query.size) > 40,
			refusal(9000001, 'no such page'),
		);
		const { rows: came, hints } = await getData();
		expect(came.map(({ n }) => n)).toEqual(first40);
		expect(hints).toEqual(['Batch 1001: 40 rows.']);
	});

	test('that counts 40 in the list of rows, and 60 in that of batches, is no success either', async () => {
		service.addBatch({ rows });
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			return number * size > 40
				? refusal(9000001, 'too far')
				: page(rows.slice((number - 1) * size, number * size), { total: 40 });
		});
		expect((await getData()).error?.message).toBe(said);
	});
});
