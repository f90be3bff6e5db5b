import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { useProcessedData } from './processedData';

describe('the note on rows of which most have changed', () => {
	useProcessedData();
	const service = useScriptedService();

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
		{ id: 'f3', name: 'Posted' },
	];

	/**
	 * The notes on a read of the next batch, which has so many rows: the first has a price, and all but five
	 * have a date of their own.
	 */
	const read = async (
		[count, price, posted]: [count: number, price: number, posted: string],
		options: INodeParameters = {},
		keyFields = ['Name'],
	) => {
		const rows = Array.from({ length: count }, (_row, n) => ({
			f1: `n${n}`,
			f2: n === 0 ? price : 1,
			f3: n < count - 5 ? posted : 'in 1999',
		}));
		service.addBatch({ fields, rows: rows.map((row) => JSON.stringify(row)) });
		const { hints } = await runOn(
			service,
			{ operation: 'getData', returnAll: true, onlyNew: true, keyFields, options },
			{ mode: 'manual' },
		);
		return hints.filter((each) => /^Most (known )?rows/.test(each));
	};

	const advice =
		'changes by itself (a date such as "3 days ago", a counter), leave it out: list the other columns in \'Columns to Return\'.';
	const unnamed = [
		`Most known rows have changed. If the task has got a column more since, or lost one, that is why, and they come out this once. If a column ${advice}`,
	];
	const named = [
		`Most known rows have changed in "Posted". If this is new in the task, that is why, and they come out this once. If this ${advice}`,
	];

	test.each([
		{ known: 25, says: unnamed },
		{ known: 24, says: [] },
	])('comes where $known are known and 5 are not changed: $says', async ({ known, says }) => {
		await read([known, 1, '1 day ago']);
		expect(await read([known, 1, '2 days ago'])).toEqual(says);
	});

	test('does not come of fewer than ten rows', async () => {
		const only = { fields: ['Name', 'Price'] };
		for (const price of [1, 2, 3]) expect(await read([1, price, ''], only)).toEqual([]);
	});

	test('names the column from the second time on', async () => {
		expect(await read([30, 1, '1 day ago'])).toEqual([]);
		expect(await read([30, 2, '2 days ago'])).toEqual(unnamed);
		expect(await read([30, 3, '3 days ago'])).toEqual(named);
		expect(await read([40, 4, '4 days ago'])).toEqual(named);
	});

	test('gives whoever follows the advice none again, though all rows come out once more', async () => {
		for (const day of [1, 2, 3]) await read([30, 1, `${day} days ago`]);
		const followed = { fields: ['Name', 'Price'] };
		expect(await read([30, 2, '4 days ago'], followed)).toEqual([]);
	});

	test('names no column where nothing is remembered', async () => {
		await read([30, 1, '1 day ago']);
		const trial = { rememberTests: false };
		expect(await read([30, 2, '2 days ago'], trial)).toEqual(unnamed);
		expect(await read([30, 3, '3 days ago'], trial)).toEqual(unnamed);
		expect(await read([30, 4, '4 days ago'])).toEqual(unnamed);
	});

	test('without key columns comes where most rows are new, from the second time on', async () => {
		const said = expect.stringMatching(/^Most rows are new, which may be for a column/) as unknown;
		expect(await read([25, 1, '1 day ago'], {}, [])).toEqual([]);
		for (const posted of ['2 days ago', '3 days ago']) {
			expect(await read([25, 1, posted], {}, [])).toEqual([said]);
		}
		expect(await read([25, 2, '3 days ago'], {}, [])).toEqual([]);
	});
});
