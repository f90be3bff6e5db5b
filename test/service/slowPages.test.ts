import { availableParallelism } from 'node:os';
import { isFullLength, length, testAtLength } from '../support/length';
import { startHttpPages, type HttpPages } from '../support/inProcess/httpPages';
import type { SiteAnswer } from '../support/service/startSite';

// A page may take five seconds of work, which take long where the machine has other things to do.

const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ');
const slow = `<p ${attributes}>text`;
const tookTooLong = 'The page took over 5 s of work.';

let ground: HttpPages;

beforeAll(async () => {
	ground = await startHttpPages();
});

afterAll(() => ground?.stop());

describe('a page that would hold up the service, or take its memory, is skipped', () => {
	const xml = (body: string) => ({ headers: { 'content-type': 'text/xml' }, body });
	const pages: [string, SiteAnswer, string][] = [
		[
			'of too many elements',
			'<p>a'.repeat(length({ full: 2_000_000, short: 600_000 })),
			'The page has more than 500000 elements.',
		],
		[
			'of elements too deep in one another',
			`${'<div>'.repeat(40_000)}<p>deep`,
			'The page has more than 2000 elements in one another.',
		],
		[
			'of XML with too many elements',
			xml(`<a>${'<p/>'.repeat(600_000)}</a>`),
			'The page has more than 500000 elements.',
		],
		[
			'of XML with elements too deep in one another',
			xml(`${'<div>'.repeat(40_000)}<p>deep`),
			'The page has more than 2000 elements in one another.',
		],
		[
			'of too many bytes',
			`<p>${'a'.repeat(10 * 1024 * 1024)}`,
			'/page has more than 10485760 bytes.',
		],
	];
	// Short, the test below has one of these beside other pages.
	if (isFullLength) pages.push(['that takes long to parse', slow, tookTooLong]);
	test.each(pages)('if it is one %s', async (_, page, reason) => {
		expect(await ground.read(page)).toEqual({ texts: [], reasons: [reason] });
		expect((await ground.read('<p>next</p>')).texts).toEqual(['next']);
	});
});

testAtLength(
	'a page that takes too long costs the pages that are read beside it nothing',
	async () => {
		ground.pages['/slow'] = slow;
		ground.pages['/list'] = '<p>one</p><p>two</p>'.repeat(200);
		// At full length, one for each thread that reads pages.
		const slowPages = Array.from(
			{ length: length({ full: availableParallelism(), short: 1 }) },
			() => ground.open(`${ground.site.baseUrl}/slow`),
		);
		const others = Array.from({ length: 40 }, () => ground.open(`${ground.site.baseUrl}/list`));
		for (const { texts } of await Promise.all(others)) expect(texts).toHaveLength(400);
		for (const read of await Promise.all(slowPages)) {
			expect(read).toEqual({ texts: [], reasons: [tookTooLong] });
		}
	},
);
