import type { INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { cut, html, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import { closedPort } from '../../support/scriptedService/scriptedService';
import { retryOnFail } from './retryOnFail';

describe.each(['beforePaging', 'afterPaging'] as const)(
	'deduplication by a service that drops duplicates %s',
	(reading) => {
		const service = useScriptedService(() => ({ rules: { deduplication: reading } }));

		/** Rows 0 to 49, where every third row repeats the one before it. */
		const rowsWithDuplicates = Array.from({ length: 50 }, (_row, n) =>
			JSON.stringify({ n: n % 3 === 2 ? n - 1 : n }),
		);

		const distinct = [...new Set(Array.from({ length: 50 }, (_r, n) => (n % 3 === 2 ? n - 1 : n)))];

		/** Dropped before, rows move to the front while pages are read: they come in another order. */
		const expectRows = (numbers: unknown[], expected: unknown[]) => {
			if (reading === 'beforePaging') expect(new Set(numbers)).toEqual(new Set(expected));
			else expect(numbers).toEqual(expected);
			expect(numbers).toHaveLength(expected.length);
		};

		const getData = async (options: INodeParameters = {}, limit?: number) => {
			const { rows, error, hints } = await runOn(service, {
				operation: 'getData',
				...(limit === undefined ? { returnAll: true } : { limit }),
				options: {
					deduplication: 'service',
					deduplicationId: 'watch',
					pageSize: 7,
					...options,
				},
			});
			return { error, hints, numbers: rows.map(({ n }) => n) };
		};

		test('returns each row once', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			expectRows((await getData()).numbers, distinct);
		});

		test('returns what is new at the next read only', async () => {
			const batch = service.addBatch({ rows: [...rowsWithDuplicates] });
			await getData();
			batch.rows.push('{"n":1000}', '{"n":1}', '{"n":1001}');
			expect((await getData()).numbers).toEqual([1000, 1001]);
		});

		test('returns all rows again for another deduplication ID', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			await getData();
			expectRows((await getData({ deduplicationId: 'other' })).numbers, distinct);
		});

		test('says so when there is nothing new', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			await getData();
			const { numbers, hints } = await getData();
			expect(numbers).toEqual([]);
			expect(hints).toHaveLength(1);
		});

		test('takes no row beyond the limit, which would be lost', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			const first = await getData({}, 10);
			expect(first.numbers).toHaveLength(10);
			const rest = await getData();
			expect([...first.numbers, ...rest.numbers].sort()).toEqual([...distinct].sort());
		});

		test.each(['clamp', 'clampAndEcho', 'refuse'] as const)(
			'loses no row when the service allows smaller pages only (%s)',
			async (oversize) => {
				Object.assign(service.rules, { oversize, maxSize: 4 });
				service.addBatch({ rows: rowsWithDuplicates });
				const { numbers } = await getData({ pageSize: 20 });
				expect([...numbers].sort()).toEqual([...distinct].sort());
			},
		);

		test('asks for one page at a time, with the ID and without duplicates', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			await getData({ concurrency: 20 });
			expect(service.mostAtOnce()).toBe(1);
			const asked = service.sentTo('data').filter(({ query }) => query.deduplication === 'true');
			expect(asked.length).toBeGreaterThan(5);
			expect(asked.every(({ query }) => query.deduplicationID === 'watch')).toBe(true);
		});

		test.each<[string, Answer, RegExp]>([
			['a cut connection', reset, /may be lost for the deduplication ID "gone"/],
			['a cut answer', cut(success({ list: [] })), /may be lost for the deduplication ID "gone"/],
			['HTTP 502', html(502, 'x'), /may be lost for the deduplication ID "gone"/],
			['HTTP 500', refusal(9000002, '', 500), /may be lost for the deduplication ID "gone"/],
			['HTTP 429', { status: 429 }, /too many requests/],
		])('is not tried again after %s, and the error says so', async (_kind, answer, said) => {
			service.addBatch({ rows: rowsWithDuplicates });
			service.script('data', answer, { skip: 2, times: 1 });
			const { error, numbers } = await getData({ deduplicationId: 'gone' });
			expect(numbers).toEqual([]);
			expect(error?.name).toBe('NodeApiError');
			expect(service.sentTo('data')).toHaveLength(3);
			expect(error?.description).toMatch(said);
		});

		test('a row that cannot be read says so, too', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			const broken = success({ list: ['{'], pagination: { page: 1, size: 7, total: 1 } });
			service.script('data', broken, { times: 1 });
			const { error } = await getData({ deduplicationId: 'gone' });
			expect(error?.description).toContain('may be lost for the deduplication ID "gone"');
		});

		test.each<[string, Answer]>([
			['a cut connection', reset],
			['a refusal', refusal(9000002, 'not now')],
		])(
			'is not read again by Retry On Fail after %s: rows would be missing',
			async (_kind, answer) => {
				service.addBatch({ rows: rowsWithDuplicates });
				service.script('data', answer, { skip: 2, times: 1 });
				const { error, rows } = await runOn(
					service,
					{
						operation: 'getData',
						returnAll: true,
						options: { deduplication: 'service', deduplicationId: 'gone', pageSize: 7 },
					},
					{ settings: retryOnFail },
				);
				expect(rows).toEqual([]);
				expect(error?.message).toContain('not read again in this execution');
				expect(error?.description).toContain('may be lost for the deduplication ID "gone"');
				expect(service.sentTo('data')).toHaveLength(3);
			},
		);

		test('stays when Retry On Fail tries the node again for another item', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			const isSecond = ({ query }: { query: Record<string, string> }) =>
				query.deduplicationID === 'second';
			service.script(isSecond, refusal(9000002, 'not now'), { times: 1 });
			const { rows } = await runOn(
				service,
				{
					operation: 'getData',
					returnAll: true,
					options: { deduplication: 'service', deduplicationId: '={{ $json.id }}', pageSize: 7 },
				},
				{
					input: [{ id: 'first' }, { id: 'second' }],
					settings: { ...retryOnFail, maxTries: 2 },
				},
			);
			const numbers = rows.map(({ n }) => n);
			expectRows(numbers.slice(0, distinct.length), distinct);
			expectRows(numbers.slice(distinct.length), distinct);
		});

		test('is read by Retry On Fail when nothing had come yet', async () => {
			service.addBatch({ rows: rowsWithDuplicates });
			service.script('data', refusal(9000002, 'not now'), { times: 1 });
			const { rows } = await runOn(
				service,
				{
					operation: 'getData',
					returnAll: true,
					options: { deduplication: 'service', deduplicationId: 'watch', pageSize: 7 },
				},
				{ settings: { ...retryOnFail, maxTries: 2 } },
			);
			expectRows(
				rows.map(({ n }) => n),
				distinct,
			);
		});
	},
);

describe('the other kinds of deduplication', () => {
	const service = useScriptedService();

	beforeEach(() => {
		service.addBatch({
			fields: [{ id: 'f', name: 'Name' }],
			rows: ['{"f":"a","g":1}', '{"f":"b"}', '{"g":1,"f":"a"}', '{"f":"a","g":"1"}', '{"f":"b"}'],
		});
	});

	test('off returns every row', async () => {
		const { rows } = await runOn(service, {
			operation: 'getData',
			options: { deduplication: 'off' },
		});
		expect(rows).toHaveLength(5);
	});

	test('read compares all values of this read, with pages in parallel and tried again', async () => {
		service.script('data', { status: 503, headers: { 'retry-after': '0' } }, { times: 3 });
		const { rows, hints } = await runOn(service, {
			operation: 'getData',
			options: { deduplication: 'read', pageSize: 1, concurrency: 5 },
		});
		expect(rows).toEqual([{ Name: 'a', g: 1 }, { Name: 'b' }, { Name: 'a', g: '1' }]);
		expect(hints[0]).toContain('3 of 5 rows, 2 duplicates within the batch left out');
		expect(service.sentTo('data').some(({ query }) => 'deduplication' in query)).toBe(false);
	});

	test('read says so when it compares values that the service has truncated', async () => {
		const long = 'x'.repeat(30);
		service.addBatch({ rows: [`{"f":"${long}1"}`, `{"f":"${long}2"}`] });
		const getData = async (preview: boolean) =>
			await runOn(service, {
				operation: 'getData',
				options: { deduplication: 'read', preview },
			});
		const previews = await getData(true);
		expect(previews.rows).toHaveLength(1);
		expect(previews.hints.join('\n')).toContain('compared by their shortened values');
		const whole = await getData(false);
		expect(whole.rows).toHaveLength(2);
		expect(whole.hints.join('\n')).not.toContain('truncated');
	});

	test('the limit counts rows without duplicates', async () => {
		const { rows } = await runOn(service, {
			operation: 'getData',
			limit: 3,
			options: { deduplication: 'read', pageSize: 2 },
		});
		expect(rows).toHaveLength(3);
	});

	test('rows are compared by all columns, also those that are not returned', async () => {
		const { rows } = await runOn(service, {
			operation: 'getData',
			options: { deduplication: 'read', fields: ['Name'] },
		});
		expect(rows).toEqual([{ Name: 'a' }, { Name: 'b' }, { Name: 'a' }]);
	});

	test('the service is asked again when it surely was not reached', async () => {
		const random = vi.spyOn(Math, 'random').mockReturnValue(0);
		const { error } = await runOn(
			{ ...service, credential: { ...service.credential, baseUrl: await closedPort() } },
			{ operation: 'getData', options: { deduplication: 'service', deduplicationId: 'd' } },
		);
		random.mockRestore();
		expect(error?.description).toContain('Tried 4 times.');
	});
});
