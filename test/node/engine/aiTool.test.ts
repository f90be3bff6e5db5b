import type { INodeParameters } from 'n8n-workflow';

import { CloudScraping } from '../../../nodes/CloudScraping/CloudScraping.node';
import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { long, settings } from './agentTool';

describe('the node as the tool of an AI agent', () => {
	const service = useScriptedService();

	const call = async (parameters: INodeParameters) =>
		await runOn(service, parameters, { settings });

	const numbered = (count: number) => Array.from({ length: count }, (_row, n) => `{"n":${n}}`);

	test('may be used as one', () => {
		expect(new CloudScraping().description.usableAsTool).toBe(true);
	});

	test('returns 50 rows, and says that there are more', async () => {
		service.addBatch({ rows: numbered(120) });
		const { rows } = await call({ operation: 'getData' });
		expect(rows).toHaveLength(51);
		expect(rows[49]).toEqual({ n: 49 });
		expect(rows[50]).toEqual({
			note: "These are the first 50 of 120 rows of batch 1001. Set a higher limit, or turn on 'Return All', to get more.",
		});
	});

	test('so does a run', async () => {
		service.script('start', () => success(asStarted(service.addBatch({ rows: numbered(60) }))));
		const { rows } = await call({ operation: 'runAndGetData' });
		expect(rows).toHaveLength(51);
		expect(rows[50].note).toContain('the first 50 of 60 rows');
	});

	test.each([
		['as many rows as the limit', 50, {}],
		['fewer', 3, {}],
		['all that were wanted', 120, { returnAll: true }],
	])('says nothing when there are %s', async (_kind, count, parameters) => {
		service.addBatch({ rows: numbered(count) });
		const { rows } = await call({ operation: 'getData', ...parameters });
		expect(rows).toHaveLength(count);
	});

	test('says why there are none', async () => {
		service.addBatch();
		expect((await call({ operation: 'getData' })).rows).toEqual([
			{
				note: "No rows from batch 1001. Nothing was found. If that seems wrong, look at the batch's page in the service's web console.",
			},
		]);
	});

	test('says that there may be more batches than the limit', async () => {
		for (let batch = 0; batch < 7; batch++) service.addBatch();
		const { rows } = await call({ operation: 'listBatches', limit: 5 });
		expect(rows).toHaveLength(6);
		expect(rows[5]).toEqual({
			note: "There may be more batches than these 5: set a higher limit, or turn on 'Return All'.",
		});
		expect((await call({ operation: 'listBatches' })).rows).toHaveLength(7);
	});

	test('says nothing when all rows beyond the limit are duplicates', async () => {
		service.addBatch({ rows: [...numbered(10), ...numbered(50)] });
		const { rows } = await call({ operation: 'getData', options: { deduplication: 'read' } });
		expect(rows).toHaveLength(50);
		expect(rows.at(-1)).toEqual({ n: 49 });
	});

	test('a workflow gets rows and nothing else, however many and long they are', async () => {
		service.addBatch({ rows: long(700, 2_000) });
		const { rows } = await runOn(service, { operation: 'getData', returnAll: true });
		expect(rows).toHaveLength(700);
		expect(rows.every((row) => JSON.stringify(row).length > 2_000)).toBe(true);
	});

	test('reads what people read beside the output: a run that is not done, rows that are missing', async () => {
		service.addBatch({ status: 2, rows: numbered(2), startTime: 0 });
		const byId = { batch: 'id', batchId: { __rl: true, mode: 'id', value: '1001' } };
		const { rows } = await call({ operation: 'getData', ...byId });
		expect(rows).toEqual([
			{ n: 0 },
			{ n: 1 },
			{ note: 'Batch 1001 is still running: these are its rows so far.' },
		]);
	});

	test('notes of many items are no longer than a model should read either', async () => {
		const rows = long(120, 300);
		const input = Array.from({ length: 40 }, () => ({
			batchID: String(service.addBatch({ rows }).batchID),
		}));
		const byId = {
			batch: 'id',
			batchId: { __rl: true, mode: 'id', value: '={{ $json.batchID }}' },
		};
		const answer = await runOn(service, { operation: 'getData', ...byId }, { settings, input });
		expect(JSON.stringify(answer.rows).length).toBeLessThanOrEqual(50_000);
		expect(answer.rows.at(-1)?.note).toMatch(/^The answer was too long\..*…$/);
	});

	describe('answers no longer than a model should read', () => {
		test('at most 500 rows, and no more are asked for', async () => {
			service.addBatch({ rows: numbered(20_000) });
			const { rows } = await call({ operation: 'getData', returnAll: true });
			expect(rows).toHaveLength(501);
			expect(rows[500].note).toBe(
				'These are the first 500 of 20000 rows of batch 1001. An answer holds at most 500 rows: the others can only be read by a workflow. Tell the user.',
			);
			expect(service.sentTo('data')).toHaveLength(1);
		});

		test('a file holds all rows', async () => {
			service.addBatch({ rows: numbered(1_200) });
			const { rows } = await call({ operation: 'getData', returnAll: true, output: 'file' });
			expect(rows).toEqual([expect.objectContaining({ rows: 1_200 })]);
		});

		test.each([
			['many rows', long(400, 300)],
			['long values', long(20, 30_000)],
			['many columns', long(3, 200, 2_000)],
			['one endless row', long(1, 900, 5_000)],
			[
				'characters that JSON writes longer',
				long(300, 300).map((row) => row.replaceAll('x', '\\u0001')),
			],
			['nested values', [JSON.stringify({ list: Array.from({ length: 90_000 }, (_one, n) => n) })]],
			['characters of two halves', [JSON.stringify({ smiles: 'a' + '😀'.repeat(40_000) })]],
		])('%s: at most 50,000 characters, and a note says what is left out', async (_kind, texts) => {
			service.addBatch({ rows: texts });
			const { rows } = await call({ operation: 'getData', returnAll: true });
			expect(JSON.stringify(rows).length).toBeLessThanOrEqual(50_000);
			expect(JSON.stringify(rows).length).toBeGreaterThan(1_000);
			expect(JSON.stringify(rows)).not.toMatch(/\\ud83d(?!\\ude00)/);
			const [first] = rows;
			const parsed: unknown = JSON.parse(texts[0]);
			for (const [key, value] of Object.entries(first)) {
				const original = (parsed as Record<string, unknown>)[key];
				const text = typeof original === 'string' ? original : JSON.stringify(original);
				if (text.length <= 1_000) expect(value).toEqual(original);
				else expect(value).toMatch(/…$/);
			}
			expect(rows.at(-1)?.note).toMatch(/The answer was too long\..* \(Columns to Return\)/);
		});

		test('the note counts what is really there', async () => {
			service.addBatch({ rows: long(300, 900) });
			const { rows } = await call({ operation: 'getData', limit: 100 });
			const shown = rows.length - 1;
			expect(shown).toBeLessThan(60);
			expect(rows.at(-1)?.note).toContain(
				`These are the first ${shown} of 300 rows of batch 1001.`,
			);
			expect(rows.at(-1)?.note).toContain(`Of 100 items, the first ${shown} are here.`);
		});

		test('the notes of several batches count what is there of each', async () => {
			const input = [1, 2].map(() => ({
				batchID: String(service.addBatch({ rows: long(300, 900) }).batchID),
			}));
			const byId = { batch: 'id', batchId: '={{ $json.batchID }}' };
			const parameters = { operation: 'getData', ...byId, limit: 40 };
			const { rows } = await runOn(service, parameters, { settings, input });
			const shown = rows.length - 1;
			expect(shown).toBeGreaterThan(40);
			expect(shown).toBeLessThan(80);
			expect(rows.at(-1)?.note).toContain(
				`These are the first 40 of 300 rows of batch 1001. These are the first ${shown - 40} of 300 rows of batch 1002.`,
			);
		});

		test('lists of batches with many columns, too', async () => {
			const fields = Array.from({ length: 300 }, (_field, n) => ({
				id: `${n}`,
				name: `Column ${n}`,
			}));
			for (let batch = 0; batch < 50; batch++) service.addBatch({ fields });
			const { rows } = await call({ operation: 'listBatches' });
			expect(JSON.stringify(rows).length).toBeLessThanOrEqual(50_000);
			expect(rows[0]).toMatchObject({ batchID: 1050, statusName: 'successful' });
		});
	});

	describe('a run that takes longer than an agent should wait', () => {
		test.each([
			['at the default time-out', {}, '90 seconds'],
			['at a shorter one', { timeout: 1 }, '1 minute'],
		])('goes on, and the agent reads how to ask again: %s', async (_when, parameters, time) => {
			const clock = fastClock({ shortTimeOuts: false });
			service.script('batches', () => {
				Object.assign(service.batches[0], { status: 2, lineCount: 7 });
				clock.passMinutes(2);
				return undefined;
			});
			const { rows, error } = await call({ operation: 'runAndGetData', ...parameters });
			clock.restore();
			expect(error).toBeUndefined();
			const { taskID } = service;
			expect(rows).toEqual([
				{
					batchID: 1001,
					taskID,
					statusName: 'running',
					lineCount: 7,
					note: `Batch 1001 is still running after ${time}. Do not start the task again. Check later: List Batches of task ${taskID} shows its status, and Get Data with batch ID 1001 reads its rows.`,
				},
			]);
			expect(service.sentTo('stop')).toEqual([]);
			expect(service.sentTo('start')).toHaveLength(1);
			expect(service.sentTo('data')).toEqual([]);
		});

		test.each([
			['a time-out', { timeout: 2, options: { onTimeout: 'stopAndReturn' } }, 0, 'after 2 minutes'],
			['a budget', { options: { stopAtRows: 5 } }, 5, 'at 5 rows (Stop at Rows: 5)'],
		])('%s that is to stop it is waited for', async (_kind, parameters, lineCount, said) => {
			const clock = fastClock({ shortTimeOuts: false });
			let polls = 0;
			service.script('batches', () => {
				polls++;
				if (polls === 3) {
					Object.assign(service.batches[0], { lineCount, rows: numbered(lineCount) });
				}
				clock.passMinutes(0.9);
				return undefined;
			});
			const { rows } = await call({ operation: 'runAndGetData', ...parameters });
			clock.restore();
			expect(service.sentTo('stop')).toHaveLength(1);
			expect(rows.at(-1)?.note).toContain(`Batch 1001 was stopped ${said}.`);
		});

		test('so it does where Get Data waits for it', async () => {
			const clock = fastClock({ shortTimeOuts: false });
			service.addBatch({ status: 2 });
			service.script('batches', () => {
				clock.passMinutes(2);
				return undefined;
			});
			const { rows } = await call({
				operation: 'getData',
				batch: 'id',
				batchId: { __rl: true, mode: 'id', value: '1001' },
				options: { waitForEnd: true },
			});
			clock.restore();
			expect(rows).toEqual([expect.objectContaining({ batchID: 1001, statusName: 'running' })]);
		});

		test('after its time-out the agent also reads which budget nobody watches any more', async () => {
			const clock = fastClock({ shortTimeOuts: false });
			service.script('batches', () => {
				Object.assign(service.batches[0], { status: 2, lineCount: 4 });
				clock.passMinutes(2);
				return undefined;
			});
			const parameters = { timeout: 1, options: { stopAtRows: 5 } };
			const { rows } = await call({ operation: 'runAndGetData', ...parameters });
			clock.restore();
			expect(rows).toEqual([
				expect.objectContaining({ batchID: 1001, statusName: 'running' }),
				{ note: "No longer watched: 'Stop at Rows' (5)." },
			]);
		});

		test('a time-out of a minute with rows so far gives them, and says that the run goes on', async () => {
			const clock = fastClock({ shortTimeOuts: false });
			service.script('batches', () => {
				Object.assign(service.batches[0], { status: 2, rows: ['{"n":1}'] });
				clock.passMinutes(2);
				return undefined;
			});
			const { rows } = await call({
				operation: 'runAndGetData',
				timeout: 1,
				options: { onTimeout: 'return' },
			});
			clock.restore();
			expect(rows).toEqual([{ n: 1 }, { note: 'Batch 1001 is still running after 1 minute.' }]);
		});
	});
});
