import type { NewBatch } from '../../../service/src/store/batchStore.ts';

export const taskID = 'abcdef00-1111-4111-8111-111111111111';

export const newBatch = (values: Partial<NewBatch> = {}): NewBatch => ({
	taskID,
	task: '{}',
	region: 'us',
	nodeCount: 1,
	requestID: 'test',
	fields: [{ id: 'a', name: 'A' }],
	jobs: [{ first: 0, end: 1 }],
	...values,
});

/** Rows with these values, at positions that begin with `at`. */
export const rows = (values: (string | number)[], at = '') =>
	values.map((value, index) => ({
		position: `${at}${index}`,
		content: JSON.stringify({ a: String(value) }),
	}));

export const numbers = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

export const window = { offset: 0, size: 100 };
