import type { INodeParameters } from 'n8n-workflow';

import { fc } from '../../support/fastCheck';
import { useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page } from '../../support/scriptedService/scriptedAnswers';

// A batch that has ended, into whose list rows are written on, at the front: each that comes moves all
// others, so that pages asked for before and after it have rows twice, and as many not at all.

describe('a list that is written on while it is read', () => {
	const { pauses } = useFastClock();
	const service = useScriptedService();

	const changed =
		'The rows of batch 1001 changed while they were read: some may be duplicated or missing';

	const newestFirst = (count: number) =>
		Array.from({ length: count }, (_row, n) => `{"n":${count - 1 - n}}`);

	/** Has 30 rows, and one more after each of so many answers, newest first. */
	const write = (times: number, batch: { status?: number; lineCount?: number } = {}) => {
		service.addBatch({ lineCount: 30, ...batch });
		let count = 30;
		const end = count + times;
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const rows = newestFirst(count);
			const answer = page(rows.slice((number - 1) * size, number * size), { total: count });
			count = Math.min(end, count + 1);
			return answer;
		});
	};

	const getData = async (options: INodeParameters = {}, parameters: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'getData',
			returnAll: true,
			batch: 'id',
			batchId: '1001',
			...parameters,
			options: { pageSize: 10, concurrency: 1, ...options },
		});

	const countdown = (count: number) => Array.from({ length: count }, (_row, n) => count - 1 - n);

	test.each([1, 3, 5])('is read anew until it holds still: %i rows come', async (times) => {
		write(times, { lineCount: 30 + times });
		const { rows, hints } = await getData();
		expect(rows.map(({ n }) => n)).toEqual(countdown(30 + times));
		expect(hints).toEqual([`Batch 1001: ${30 + times} rows.`]);
	});

	test('comes whole into a file: nothing of the reads before is in it', async () => {
		write(3);
		const { items } = await getData({ rowsPerFile: 5 }, { output: 'file' });
		const texts = items.map(({ binary }) =>
			Buffer.from(binary?.data.data ?? '', 'base64').toString('utf8'),
		);
		const rows = texts.flatMap((text) => text.trim().split('\r\n').slice(1));
		expect(rows.map(Number)).toEqual(countdown(33));
		expect(items.map(({ json }) => json.part)).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	test('that does not hold still is an error after four reads', async () => {
		write(1_000);
		const { rows, error } = await getData();
		expect(rows).toEqual([]);
		expect(error?.message).toBe(changed);
		expect(error?.description).toContain('On Missing Rows');
		expect(pauses().filter((milliseconds) => milliseconds > 0)).toEqual([1_000, 3_000, 9_000]);
	});

	test('that does not hold still may be what the user wants', async () => {
		write(1_000);
		const { rows, hints } = await getData({ onMissingRows: 'return' });
		expect(rows.length).toBeGreaterThan(30);
		expect(hints[1]).toBe(`${changed}.`);
	});

	test('of a batch that runs is read once, with a hint', async () => {
		write(1_000, { status: 2 });
		const { rows, hints } = await getData();
		expect(rows.length).toBeGreaterThan(30);
		expect(hints).toContain(`${changed}.`);
		expect(pauses().filter((milliseconds) => milliseconds > 0)).toEqual([]);
	});

	test('may be counted page by page: a service that only says whether more comes is read once', async () => {
		service.addBatch({ lineCount: 30 });
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const rows = newestFirst(30).slice((number - 1) * size, number * size);
			return page(rows, { total: Math.min(30, number * size + 1) });
		});
		const { rows, hints } = await getData();
		expect(rows.map(({ n }) => n)).toEqual(countdown(30));
		expect(hints).toEqual(['Batch 1001: 30 rows.']);
		expect(service.sentTo('data').map(({ query }) => query.page)).toEqual(['1', '2', '3', '1']);
	});

	test('of a batch that runs may grow at its end', async () => {
		service.addBatch({ lineCount: 30, status: 2 });
		let count = 15;
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const rows = newestFirst(30).slice(0, count);
			count += 5;
			return page(rows.slice((number - 1) * size, number * size), { total: rows.length });
		});
		const { rows, hints } = await getData();
		expect(rows.map(({ n }) => n)).toEqual(countdown(30).slice(0, rows.length));
		expect(hints).not.toContain(`${changed}.`);
	});

	test('is whole where one page holds it', async () => {
		write(1_000);
		const { rows, hints } = await getData({ pageSize: 500 });
		expect(rows.map(({ n }) => n)).toEqual(countdown(30));
		expect(hints).toEqual(['Batch 1001: 30 rows.']);
	});

	test('is read once with a deduplication ID', async () => {
		write(3);
		await getData({ deduplication: 'service', deduplicationId: 'k' });
		const asked = service.sentTo('data').filter(({ query }) => query.deduplication === 'true');
		const pages = asked.map(({ query }) => query.page);
		// Page 1 twice: whether the service drops duplicates before it cuts pages.
		expect(pages.slice(0, 2)).toEqual(['1', '1']);
		expect(pauses().filter((milliseconds) => milliseconds > 0)).toEqual([]);
	});

	test('whatever is written when and where: rows of one list come, or an error says that it changed', async () => {
		const drawn = fc.record({
			rows: fc.nat(40),
			/** Where a row is written after an answer, as a share of the list. */
			written: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 16 }),
			pageSize: fc.integer({ min: 1, max: 15 }),
			concurrency: fc.integer({ min: 1, max: 5 }),
		});
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(drawn, async ({ rows: before, written, pageSize, concurrency }) => {
				const batch = service.addBatch({ lineCount: before });
				const list = Array.from({ length: before }, (_row, n) => n);
				const lists = [[...list]];
				const places = [...written];
				service.script(
					({ query }) => query.batchID === String(batch.batchID),
					({ query }) => {
						const [number, size] = [Number(query.page), Number(query.size)];
						const rows = list.map((n) => JSON.stringify({ n }));
						const answer = page(rows.slice((number - 1) * size, number * size), {
							total: rows.length,
						});
						const place = places.shift() ?? null;
						if (place !== null) list.splice(Math.round(place * list.length), 0, list.length);
						lists.push([...list]);
						return answer;
					},
				);
				const batchId = String(batch.batchID);
				const { rows, error } = await getData({ pageSize, concurrency }, { batchId });
				if (error) return expect(error.message).toContain('changed while they were read');
				expect(lists).toContainEqual(rows.map(({ n }) => n));
				whole++;
			}),
			{ numRuns: 60 },
		);
		expect(whole).toBeGreaterThan(30);
	});
});
