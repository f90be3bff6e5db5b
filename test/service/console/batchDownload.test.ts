import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { csvLines } from '../../../service/src/console/batch/csvLines.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { serviceWithBatches } from './storedBatches';

const shopTask = '11111111-1111-4111-8111-111111111111';

/** What a spreadsheet would run, and what it must be given instead. */
const formulas = [
	'=1+1',
	'+1+1',
	'-1-1',
	'@SUM(A1)',
	'=HYPERLINK("http://evil.example";"x")',
	'＝1+1',
	'＋1',
	'－1',
	'＠A1',
	'-',
	'+49 30 123',
	'--5',
];
/** Where `;` or a tab parts cells, and lines with them, and what they are then. */
const inParts = {
	'a;=1+1;b': "a;'=1+1;b",
	';@A1': ";'@A1",
	'=1;-5': "'=1;'-5",
	'a;-5;--5': "a;'-5;'--5",
	'a";"=1+1;b': 'a";"\'=1+1;b',
	'"""=1': '"""\'=1',
	'-1\n*2': "'-1\n*2",
	'-1\r\n*cmd': "'-1\r\n*cmd",
	'+1;*2': "'+1;*2",
	'\r=1': "'\r'=1",
	'\t=1': "'\t'=1",
	'a\t=1+1': "a\t'=1+1",
	'a;-5\t-5': "a;'-5\t'-5",
	'\n=1': "'\n'=1",
	'a\n=1+1;b': "a\n'=1+1;b",
	'a\r\n-b': "a\r\n'-b",
};
const harmless = ['-5', '+3.20', '-1,234.50', '-1e-9', '-.5', '1-2', 'a=b', "'quoted'", ' =1'];
const difficult = [
	'a,b',
	'say "hi"',
	'two\r\nlines',
	'two\nlines',
	'one\rline',
	'two\n\nparts\r\nof it',
	'',
	'ü€😀',
	'a;b',
	'x'.repeat(1_000_000),
];
const values = [...formulas, ...Object.keys(inParts), ...harmless, ...difficult];

let service: RunningService;
let get: Awaited<ReturnType<typeof consoleClient>>;
let ids: string[];

beforeAll(async () => {
	const started = await serviceWithBatches([
		{
			taskID: shopTask,
			columns: ['Value', '=Name', 'Name', 'Name', 'Name (2)', '7', '__proto__'],
			rows: [...values.map((value) => [value, 'n', 'a', 'b', 'c', 'seven', 'p']), [undefined, 'n']],
		},
		{ columns: ['Only'], rows: [[''], ['x']] },
		{ columns: ['Only'], rows: [] },
		{ columns: ['Only'], rows: Array.from({ length: 2_345 }, (_, index) => [`v${index}`]) },
	]);
	service = started.service;
	ids = started.batchIDs;
	get = await consoleClient(service);
});

afterAll(() => service?.stop());

const download = (index: number, kind: 'csv' | 'jsonl') =>
	get(`/console/batches/${ids[index]}/rows.${kind}`);

const recordsOf = async (index: number): Promise<string[][]> => {
	const bytes = await (await download(index, 'csv')).arrayBuffer();
	expect([...new Uint8Array(bytes.slice(0, 3))]).toEqual([0xef, 0xbb, 0xbf]);
	const records: string[][] = parse(Buffer.from(bytes), { bom: true });
	return records;
};

const linesOf = async (index: number) =>
	(await (await download(index, 'jsonl')).text()).split('\n');

const membersOf = (line: string): Map<string, unknown> => {
	const row: unknown = JSON.parse(line);
	return new Map(typeof row === 'object' && row !== null ? Object.entries(row) : []);
};

test('CSV: column names that differ, every value, and no formula', async () => {
	const [header, ...records] = await recordsOf(0);
	expect(header).toEqual(['Value', "'=Name", 'Name', 'Name (3)', 'Name (2)', '7', '__proto__']);
	expect(records.map(([value]) => value)).toEqual([
		...formulas.map((formula) => `'${formula}`),
		...Object.values(inParts),
		...harmless,
		...difficult,
		'',
	]);
	expect(records[0]?.slice(1)).toEqual(['n', 'a', 'b', 'c', 'seven', 'p']);
	expect(records.at(-1)).toEqual(['', 'n', '', '', '', '', '']);
});

test('CSV: lines end as RFC 4180 says', async () => {
	const text = await (await download(3, 'csv')).text();
	expect(text.split('\r\n')).toHaveLength(1 + 2_345 + 1);
});

test('CSV: a row of one empty value is a row', async () => {
	expect(await recordsOf(1)).toEqual([['Only'], [''], ['x']]);
	expect(await recordsOf(2)).toEqual([['Only']]);
});

test('CSV: a batch that found nothing is the header of its columns', async () => {
	const open = step('navigate', { url: '{site}/shop/products' });
	const none = task('none', [open, extract({ Name: 'h2', Price: '.price' }, '.none')]);
	const own = await startService({ tasks: { none } });
	const { batch } = await cloudClient(own).run(uuidOf('none'));
	const visit = await consoleClient(own);
	const file = await visit(`/console/batches/${batch.batchID}/rows.csv`);
	expect(Buffer.from(await file.arrayBuffer()).toString()).toBe('\uFEFFName,Price\r\n');
	await own.stop();
});

test('JSONL: each value as it is stored, in the order of the columns', async () => {
	const lines = await linesOf(0);
	expect(lines.pop()).toBe('');
	expect(lines.map((line) => membersOf(line).get('Value'))).toEqual([...values, undefined]);
	expect(lines[0]).toBe(
		'{"Value":"=1+1","=Name":"n","Name":"a","Name (3)":"b","Name (2)":"c","7":"seven","__proto__":"p"}',
	);
	expect(lines.at(-1)).toBe('{"=Name":"n"}');
});

test('rows of several slices come in their order, each once', async () => {
	const all = Array.from({ length: 2_345 }, (_, index) => `v${index}`);
	const [, ...records] = await recordsOf(3);
	expect(records.flat()).toEqual(all);
	expect((await linesOf(3)).slice(0, -1)).toEqual(all.map((value) => `{"Only":"${value}"}`));
});

test('files are named after task and batch', async () => {
	const named = await download(0, 'csv');
	expect(named.headers.get('content-type')).toBe('text/csv; charset=utf-8');
	const disposition = named.headers.get('content-disposition');
	expect(disposition).toMatch(
		/^attachment; filename="Small shop.* \d+\.csv"; filename\*=UTF-8''Small%20shop/,
	);
	const unnamed = await download(1, 'jsonl');
	expect(unnamed.headers.get('content-disposition')).toContain(
		`filename="99999999-9999-4999-8999-999999999999 ${ids[1]}.jsonl"`,
	);
});

test('a name of a task that hides what a file is stays a plain name of a file', async () => {
	const open = step('navigate', { url: '{site}/shop/products' });
	const name = `It's "é" (1)\u202Efdp.exe / ..`;
	const hidden = task('hidden', [open, extract({ At: { source: 'pageUrl' } })], { name });
	const own = await startService({ tasks: { hidden } });
	const { batch } = await cloudClient(own).run(uuidOf('hidden'));
	const visit = await consoleClient(own);
	const { headers } = await visit(`/console/batches/${batch.batchID}/rows.csv`);
	expect(headers.get('content-disposition')).toBe(
		`attachment; filename="It_s _ (1) fdp.exe .. ${batch.batchID}.csv"; filename*=UTF-8''It%27s%20%C3%A9%20%281%29%20fdp.exe%20..%20${batch.batchID}.csv`,
	);
	await own.stop();
});

test('a download of a batch that goes on has the rows so far', async () => {
	const client = cloudClient(service);
	const batch = await client.start('55555555-5555-4555-8555-555555555555');
	await client.waitFor(batch, ({ lineCount }) => lineCount >= 2);
	const text = await (await get(`/console/batches/${batch.batchID}/rows.jsonl`)).text();
	const rows = text.trimEnd().split('\n').length;
	expect(rows).toBeGreaterThanOrEqual(2);
	expect(rows).toBeLessThan(20);
});

test.each(['csv', 'jsonl'])(
	'a %s that has begun comes whole where the service ends',
	async (kind) => {
		const rows = Array.from({ length: 16 }, () => ['x'.repeat(1024 * 1024)]);
		const { service: own, batchIDs } = await serviceWithBatches([{ columns: ['Only'], rows }]);
		const file = await (await consoleClient(own))(`/console/batches/${batchIDs[0]}/rows.${kind}`);
		const ended = own.stop();
		expect((await file.text()).match(/x+/g)).toHaveLength(16);
		await ended;
	},
);

test.each(['"', '\n='])(
	'others have their turns while a long text of %j is written',
	async (text) => {
		let [turns, isOver] = [0, false];
		const writing = csvLines([[text.repeat(500_000)]]).finally(() => (isOver = true));
		for (; !isOver; turns += 1) await nextTurn();
		await writing;
		expect(turns).toBeGreaterThan(4);
	},
);
