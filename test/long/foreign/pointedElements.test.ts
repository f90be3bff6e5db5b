import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type RunningService } from '../../support/service/startService';
import type { Site } from '../../support/service/startSite';
import { addressOf, startDocumentationSite } from './documentationSite';
import { pointAtElements, type FoundElement } from './pointAt';

jest.setTimeout(120_000);

// A link to the next page that is pointed at on one page is found on the next one, and not on the last.

const elements = readFileSync(join(__dirname, 'pointedElements.md'), 'utf8')
	.split('\n')
	.filter((line) => line.startsWith('| `'))
	.map((line) => {
		const [, page = '', pointedAt = '', is = '', elsewhere = ''] = line.split('|');
		const others = elsewhere.split('<br>').map(quoted);
		return {
			page: quoted(page).join(),
			pointedAt: quoted(pointedAt).join(),
			is: quoted(is).join(),
			others: others.map(([address = '', found]) => ({ address, found })),
		};
	});

function quoted(text: string): string[] {
	return [...text.matchAll(/`(.*?)`/g)].map(([, inside = '']) => inside);
}

let site: Site;
let service: RunningService;
let found: FoundElement[];

beforeAll(async () => {
	site = await startDocumentationSite('bare');
	service = await startService();
	const address = (page: string) =>
		page.startsWith('/shop/') ? service.baseUrl + page : addressOf(site, page);
	found = await pointAtElements(
		elements.map(({ page, pointedAt, others }) => ({
			page: address(page),
			pointedAt: [pointedAt],
			elsewhere: others.map((other) => address(other.address)),
		})),
	);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

test('there are enough of them', () => {
	expect(elements.length).toBeGreaterThanOrEqual(15);
});

test.each(elements.map((element, index) => ({ ...element, index })))(
	'$page: $pointedAt is found on $others.length other pages, too',
	({ is, others, index }) => {
		const { selector, isExact, elsewhere = [], ...element } = found[index] ?? {};
		expect(element.failure).toBeUndefined();
		expect({ selector, isExact, is: element.is }).toEqual({
			selector,
			isExact: true,
			is: expect.arrayContaining([is]) as string[],
		});
		const seen = others.map(({ address, found: wanted }, place) => {
			const shown = elsewhere[place] ?? [];
			return { address, found: wanted !== undefined && shown.includes(wanted) ? wanted : shown[0] };
		});
		expect({ selector, elsewhere: seen }).toEqual({ selector, elsewhere: others });
	},
);
