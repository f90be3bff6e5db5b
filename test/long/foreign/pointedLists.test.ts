import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type RunningService } from '../../support/service/startService';
import type { Site } from '../../support/service/startSite';
import { addressOf, startDocumentationSite } from './documentationSite';
import { foundByChromium } from './foundByChromium';
import { pointAtLists, type FoundList } from './pointAt';
import { countedIn, expectedLists, type ExpectedList } from './pointedLists';

jest.setTimeout(300_000);

// Lists on pages that nobody here wrote: two things pointed at stand for the entries that a person means.

/** Milliseconds within which a list surely lights up once it has been pointed at, also on a busy machine. */
const patience = 10_000;
const lists = expectedLists();
const folder = join(__dirname, '..', '..', '..', '.tmp', 'foreign');

let site: Site;
let service: RunningService;
let found: FoundList[];
let inChromium: number[];

beforeAll(async () => {
	site = await startDocumentationSite('bare');
	service = await startService();
	const addresses = lists.map(addressOfPage);
	found = await pointAtLists(
		lists.map(({ pointedAt, columns }, index) => ({
			page: addresses[index] ?? '',
			pointedAt,
			columns: columns.map((column) => column.pointedAt),
		})),
	);
	const selectors = found.map(({ selector }) => selector ?? ':not(*)');
	inChromium = await foundByChromium(
		selectors.map((selector, index) => ({ address: addresses[index] ?? '', selector })),
	);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'pointedLists.md'), lists.map(reportOf).join('\n'));
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

function addressOfPage({ page }: ExpectedList): string {
	return page.startsWith('/shop/') ? service.baseUrl + page : addressOf(site, page);
}

/** What came of a line, as a line of a table. */
function reportOf({ page, pointedAt, entries }: ExpectedList, index: number): string {
	const { failure, selector, milliseconds, columns = [], ...list } = found[index] ?? {};
	const said = columns.map(
		({ name, selector: inside, found: number }) => `${name} = \`${inside}\` (${number})`,
	);
	const cells = [
		page.split('/').slice(-2).join('/'),
		pointedAt.join(' + '),
		failure ?? `${list.entries} of ${entries}`,
		`\`${selector}\` in ${milliseconds} ms`,
		said.join('; '),
	];
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

test('there are enough lists, of every kind of page', () => {
	expect(lists.length).toBeGreaterThanOrEqual(40);
	expect(new Set(lists.map(({ page }) => page)).size).toBeGreaterThanOrEqual(40);
});

describe.each(lists.map((list, index) => ({ ...list, index })))(
	'$page: $pointedAt.0 and $pointedAt.1',
	(expected) => {
		const { index } = expected;

		test('are as many in its source as the table says', async () => {
			const source = await (await fetch(addressOfPage(expected))).text();
			expect(countedIn(source, expected.counted)).toBe(expected.entries);
		});

		test(`stand for ${expected.entries} entries, which one selector finds`, () => {
			const list = found[index];
			expect(list).toMatchObject({ entries: expected.entries, isExact: true });
			expect(list?.failure).toBeUndefined();
			const beginnings = [list?.first, list?.last].map((text, end) =>
				text?.slice(0, expected.ends[end]?.length),
			);
			expect(beginnings).toEqual(expected.ends);
			expect(list?.milliseconds).toBeLessThan(patience);
		});

		test('Chromium finds as many', () => {
			expect({ selector: found[index]?.selector, found: inChromium[index] }).toMatchObject({
				found: expected.entries,
			});
		});

		if (expected.columns.length === 0) return;
		test('columns line up', () => {
			const columns = found[index]?.columns ?? [];
			const seen = columns.map(({ failure, found: number, last, isAtOwnPlace }, place) => ({
				pointedAt: expected.columns[place]?.pointedAt,
				failure,
				found: number,
				last: expected.columns[place]?.last === undefined ? undefined : last,
				isAtOwnPlace,
			}));
			expect(seen).toEqual(
				expected.columns.map((column) => ({
					...column,
					failure: undefined,
					isAtOwnPlace: true,
				})),
			);
		});
	},
);
