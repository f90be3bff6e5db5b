import { batchIdOf } from '../../../../nodes/CloudScraping/settings/batchIds';

describe('the batch ID that was entered', () => {
	test.each([
		'http://127.0.0.1:8787/console/batches/1784050468430214',
		'HTTPS://scraping.example.com/console/batches/1784050468430214/',
		'http://127.0.0.1:8787/console/batches/1784050468430214?page=2&size=50#rows',
		'http://127.0.0.1:8787/console/batches/1784050468430214/rows/7',
		'https://scraping.example.com/#/batch/1784050468430214',
		'https://scraping.example.com/data?batchID=1784050468430214&page=3',
		'https://scraping.example.com/batches/1784050468430214?batch=1784050468430214',
	])('is the one in the address of a page: %s', (address) => {
		expect(batchIdOf(address)).toBe('1784050468430214');
	});

	test('keeps all digits of one that is too large for a number', () => {
		expect(batchIdOf('http://a.test/batches/98765432109876543210')).toBe('98765432109876543210');
	});

	test.each([
		'1784050468430214',
		'',
		'abc',
		'/console/batches/12',
		'batches/12',
		'http://127.0.0.1:8787',
		'http://127.0.0.1:8787/12',
		'http://127.0.0.1:8787/console/tasks/11111111-1111-4111-8111-111111111111',
		'http://a.test/batches/12.5',
		'http://a.test/batches/12-34',
		'http://a.test/batches/12abc',
		'http://a.test/batches/-12',
		'http://a.test/batches/12?batchID=13',
	])('is the text where it is no address, or none of one batch: %j', (text) => {
		expect(batchIdOf(text)).toBe(text);
	});
});
