import { readBatch } from '../../nodes/CloudScraping/api/envelopeData';
import { batchLabel } from '../../nodes/CloudScraping/listSearch';

const label = (rest: object, timeZone = 'UTC') => {
	const batch = readBatch({ batchID: 18, status: 3, lineCount: 1204, createTime: 0, ...rest });
	if (!batch) throw new Error('This is no batch');
	return batchLabel(batch, timeZone);
};

describe('batchLabel', () => {
	const milliseconds = Date.UTC(2026, 10, 20, 9, 30, 5);

	test('shows time, status, rows and ID', () => {
		expect(label({ createTime: milliseconds })).toBe(
			'2026-11-20 09:30:05 · successful · 1204 rows · 18',
		);
	});

	test('counts one row', () => {
		expect(label({ lineCount: 1 })).toMatch(/ · 1 row · 18$/);
	});

	test.each([
		['seconds', milliseconds / 1000],
		['milliseconds', milliseconds],
		['milliseconds as a text', String(milliseconds)],
	])('reads times in %s', (_unit, createTime) => {
		expect(label({ createTime })).toMatch(/^2026-11-20 09:30:05 · /);
	});

	test('shows the time of the time zone', () => {
		expect(label({ createTime: milliseconds }, 'Asia/Tokyo')).toMatch(/^2026-11-20 18:30:05 · /);
	});

	test.each([0, -5, undefined, null, 'yesterday'])('says that %j is no time', (createTime) => {
		expect(label({ createTime })).toMatch(/^no time · /);
	});

	test('keeps the digits of a 64-bit ID', () => {
		expect(label({ batchID: '9007199254740993', status: 1 })).toMatch(
			/ · waiting · 1204 rows · 9007199254740993$/,
		);
	});
});
