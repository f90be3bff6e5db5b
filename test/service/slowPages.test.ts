import { availableParallelism } from 'node:os';
import { startHttpPages, type HttpPages } from '../support/inProcess/httpPages';

// A page may take five seconds of work, which take long where the machine has other things to do.

let ground: HttpPages;

beforeAll(async () => {
	ground = await startHttpPages();
});

afterAll(() => ground?.stop());

describe('a page that would hold up the service, or take its memory, is skipped', () => {
	const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ');

	test.each([
		['of too many elements', '<p>a'.repeat(2_000_000), 'The page has more than 500000 elements.'],
		[
			'of elements too deep in one another',
			`${'<div>'.repeat(40_000)}<p>deep`,
			'The page has more than 2000 elements in one another.',
		],
		['that takes long to parse', `<p ${attributes}>text`, 'The page took over 5 s of work.'],
		[
			'of too many bytes',
			`<p>${'a'.repeat(10 * 1024 * 1024)}`,
			'/page has more than 10485760 bytes.',
		],
	])('if it is one %s', async (_, page, reason: unknown) => {
		expect(await ground.read(page)).toEqual({ texts: [], reasons: [reason] });
		expect((await ground.read('<p>next</p>')).texts).toEqual(['next']);
	});
});

test('a page that takes too long costs the pages that are read beside it nothing', async () => {
	const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ');
	ground.pages['/slow'] = `<p ${attributes}>text`;
	ground.pages['/list'] = '<p>one</p><p>two</p>'.repeat(200);
	// One for each thread that reads pages.
	const slow = Array.from({ length: availableParallelism() }, () =>
		ground.open(`${ground.site.baseUrl}/slow`),
	);
	const others = Array.from({ length: 40 }, () => ground.open(`${ground.site.baseUrl}/list`));
	for (const { texts } of await Promise.all(others)) expect(texts).toHaveLength(400);
	for (const { texts } of await Promise.all(slow)) expect(texts).toEqual([]);
});
