import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { useProcessedData } from './processedData';

describe('rows whose keys are the names of columns', () => {
	useProcessedData();
	const service = useScriptedService();

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Link' },
	];

	const scraped = (...rows: object[]) =>
		service.addBatch({ fields, rows: rows.map((row) => JSON.stringify(row)) });

	const getData = async (parameters: INodeParameters = {}) =>
		await runOn(service, { operation: 'getData', returnAll: true, ...parameters });

	test('have the names that the batch gives, in its order', async () => {
		scraped({ Link: 'l', Name: 'a', Extra: 1 });
		const { rows } = await getData();
		expect(rows).toEqual([{ Name: 'a', Link: 'l', Extra: 1 }]);
		expect(Object.keys(rows[0])).toEqual(['Name', 'Link', 'Extra']);
		expect((await getData({ options: { fieldKeys: 'ids' } })).rows).toEqual([
			{ f1: 'a', f2: 'l', Extra: 1 },
		]);
	});

	test('are chosen and compared by these', async () => {
		scraped({ Link: 'l', Name: 'a' });
		const keyed = { onlyNew: true, keyFields: ['Link'] };
		expect((await getData(keyed)).rows).toHaveLength(1);
		scraped({ Link: 'l', Name: 'b' });
		expect((await getData(keyed)).rows).toEqual([{ Name: 'b', Link: 'l', _change: 'changed' }]);
		expect((await getData({ options: { fields: ['Link'] } })).rows).toEqual([{ Link: 'l' }]);
		const { items } = await getData({ output: 'file' });
		const csv = Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
		expect(csv).toBe('Name,Link\r\nb,l\r\n');
	});

	test('are those of service deduplication, too', async () => {
		scraped({ Link: 'l', Name: 'a' });
		const options = { deduplication: 'service', deduplicationId: 'd', fields: ['Link'] };
		expect((await getData({ options })).rows).toEqual([{ Link: 'l' }]);
	});

	test('are other columns where rows of the page have the field by its id', async () => {
		scraped({ f1: 'a', Name: 'mine' }, { Name: 'yours', Link: 'l' });
		expect((await getData()).rows).toEqual([
			{ Name: 'a', 'Name (2)': 'mine' },
			{ 'Name (2)': 'yours', Link: 'l' },
		]);
	});

	test('stay what an earlier page has made of them', async () => {
		scraped({ f1: 'a' }, { Name: 'b', Link: 'l' }, { Name: 'c', Link: 'm', f2: 'id' });
		const { rows } = await getData({ options: { pageSize: 1 } });
		expect(rows).toEqual([
			{ Name: 'a' },
			{ 'Name (2)': 'b', Link: 'l' },
			{ 'Name (2)': 'c', Link: 'id', 'Link (2)': 'm' },
		]);
	});
});
