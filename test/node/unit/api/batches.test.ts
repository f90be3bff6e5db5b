import { hasEnded, statusName } from '../../../../nodes/CloudScraping/api/batchStatus';
import { batchFields, readBatch, readPage } from '../../../../nodes/CloudScraping/api/wire';

const batch = (rest: object) => {
	const read = readBatch({ batchID: 1, status: 3, ...rest });
	if (!read) throw new Error('This is no batch');
	return read;
};

test.each([
	[1, 'waiting'],
	[2, 'running'],
	[3, 'successful'],
	[4, 'stopped'],
	[0, 'unknown'],
	[5, 'unknown'],
	['3', 'successful'],
	['x', 'unknown'],
	['', 'unknown'],
	[true, 'unknown'],
	[null, 'unknown'],
	[undefined, 'unknown'],
])('status %j is %s', (status, name) => {
	expect(statusName(batch({ status }))).toBe(name);
});

test.each([
	[1, 0, false],
	[2, 0, false],
	[2, 99, false],
	[3, 0, true],
	[4, 0, true],
	[7, 0, false],
	[7, undefined, false],
	[7, 99, true],
	[7, '9007199254740993', true],
])('a batch of status %i with the end time %s has ended: %s', (status, endTime, ended) => {
	expect(hasEnded(batch({ status, endTime }))).toBe(ended);
});

describe('readBatch', () => {
	test('keeps fields that nobody knows', () => {
		expect(readBatch({ batchID: '9007199254740993', status: 1, note: 'x' })).toEqual({
			batchID: '9007199254740993',
			status: 1,
			note: 'x',
		});
	});

	test('needs the batch ID only', () => {
		expect(readBatch({ batchID: '7' })).toStrictEqual({ batchID: '7' });
		expect(readBatch({ batchID: 7, status: null })).toStrictEqual({ batchID: 7, status: null });
	});

	test.each([
		null,
		[],
		{},
		{ status: 1 },
		{ batchID: '', status: 1 },
		{ batchID: 'abc', status: 1 },
		{ batchID: 1.5, status: 1 },
	])('finds no batch in %j', (data) => {
		expect(readBatch(data)).toBeUndefined();
	});
});

describe('batchFields', () => {
	test('leaves out what is no field', () => {
		const fields = [{ id: 'a', name: 'A' }, null, 'b', { name: 'C' }, { id: 'd' }];
		expect(batchFields(batch({ fields }))).toEqual([{ id: 'a', name: 'A' }, { id: 'd' }]);
	});

	test.each([undefined, null, {}, 'a'])('there are none in %j', (fields) => {
		expect(batchFields(batch({ fields }))).toEqual([]);
	});
});

describe('readPage', () => {
	const read = (data: unknown) => readPage(data, (item) => (item === null ? undefined : item));

	test('reads list, total and echo', () => {
		const data = { list: [1, 'a'], pagination: { page: 1, size: 2, total: 9 } };
		expect(read(data)).toEqual(data);
	});

	test('leaves out an element that cannot be read', () => {
		expect(read({ list: [1, null], pagination: { total: 2 } })?.list).toEqual([1]);
	});

	test.each([
		[{ total: 1 }, undefined, undefined],
		[{ total: 1, page: 'one', size: -5 }, undefined, undefined],
		[{ total: '1', page: '1', size: '50' }, 1, 50],
		[{ total: 1, page: 0, size: 0 }, 0, 0],
	])('takes an echo that is no count as none: %j', (pagination, page, size) => {
		expect(read({ list: [], pagination })?.pagination).toEqual({ total: 1, page, size });
	});

	test.each([
		null,
		{ list: [] },
		{ pagination: { total: 0 } },
		{ list: {}, pagination: { total: 0 } },
		{ list: [], pagination: { total: 'many' } },
		{ list: [], pagination: { total: -1 } },
		{ list: [], pagination: { total: 1.5 } },
		{ list: [], pagination: {} },
	])('finds no page in %j', (data) => {
		expect(read(data)).toBeUndefined();
	});
});
