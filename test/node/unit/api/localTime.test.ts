import { localTime } from '../../../../nodes/CloudScraping/api/times';

describe('the local time of a batch', () => {
	const time = Date.UTC(2026, 10, 20, 9, 30);
	const batch = { batchID: 1, createTime: time, updateTime: time, startTime: time, endTime: 0 };

	test('is that of the time zone', () => {
		expect(localTime(batch, 'startTime', 'Asia/Tokyo')).toBe('2026-11-20 18:30:00');
	});

	test.each(['DEFAULT', 'UTC+2', '', 'Mars/Olympus'])(
		'is UTC, and says so, where the time zone is %j, which is none',
		(timeZone) => {
			expect(localTime(batch, 'startTime', timeZone)).toBe('2026-11-20 09:30:00 UTC');
		},
	);
});
