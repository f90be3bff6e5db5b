import { readBatch } from '../../../nodes/CloudScraping/api/wire';
import { batchLabel } from '../../../nodes/CloudScraping/listSearch';

const label = (rest: object, timeZone = 'UTC') => {
	const batch = readBatch({ batchID: 18, status: 3, lineCount: 1204, createTime: 0, ...rest });
	if (!batch) throw new Error('This is no batch');
	return batchLabel(batch, timeZone);
};

describe('batchLabel', () => {
	const milliseconds = Date.UTC(2026, 10, 20, 9, 30, 5);
	const times = {
		createTime: milliseconds,
		updateTime: milliseconds + 60_000,
		startTime: milliseconds + 1_000,
		endTime: milliseconds + 60_000,
	};

	test('shows time, status, rows and ID', () => {
		expect(label(times)).toBe('2026-11-20 09:30:05 · successful · 1204 rows · 18');
	});

	test('counts one row', () => {
		expect(label({ lineCount: 1 })).toMatch(/ · 1 row · 18$/);
	});

	test.each([
		[
			'as texts',
			Object.fromEntries(Object.entries(times).map(([name, time]) => [name, `${time}`])),
		],
		['where the batch has not ended', { ...times, startTime: 0, endTime: 0 }],
	])('reads times %s', (_when, sent) => {
		expect(label(sent)).toMatch(/^2026-11-20 09:30:05 · /);
	});

	test.each([
		[
			'all are seconds',
			Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time / 1000])),
		],
		['one is in seconds', { ...times, endTime: milliseconds / 1000 }],
		['one is in microseconds', { ...times, updateTime: milliseconds * 1000 }],
		['one is missing', { ...times, startTime: undefined }],
		['one is none', { ...times, startTime: 'yesterday' }],
		['one is of another age', { ...times, startTime: 5 }],
	])('shows the number that the service sent, and guesses nothing, when %s', (_when, sent) => {
		expect(label(sent)).toMatch(new RegExp(`^${sent.createTime} · successful · `));
	});

	test('shows the time of the time zone', () => {
		expect(label(times, 'Asia/Tokyo')).toMatch(/^2026-11-20 18:30:05 · /);
	});

	test.each([0, undefined, null, {}])('says that %j is no time', (createTime) => {
		expect(label({ createTime })).toMatch(/^no time · /);
	});

	test.each([undefined, null, '', 'many', -1, 1.5, {}])('leaves out %j rows', (lineCount) => {
		expect(label({ lineCount })).toBe('no time · successful · 18');
	});

	test('counts 0 rows, and more than 2^53', () => {
		expect(label({ lineCount: 0 })).toBe('no time · successful · 0 rows · 18');
		expect(label({ lineCount: '9007199254740993' })).toContain(' · 9007199254740993 rows · ');
	});

	test('keeps the digits of a 64-bit ID', () => {
		expect(label({ batchID: '9007199254740993', status: 1 })).toMatch(
			/ · waiting · 1204 rows · 9007199254740993$/,
		);
	});
});
