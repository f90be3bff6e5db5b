import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { visitConsole, type View } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { sample, testAtLength } from '../../support/length';
import { expectUsable, views } from '../../support/service/usable';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// The first rows of a list whose entries have long texts, beside the page that is pointed at.

const end = 'to the very end.';
const about = (name: string) =>
	`<li class="book"><h3>${name}</h3><p class="about">${'A novel that goes on and on '.repeat(30)}${end}</p></li>`;
const list = `<title>Books</title><ul>${['Emma', 'Evelina', 'Cecilia', 'Camilla', 'Clarissa'].map(about).join('')}</ul>`;

describeWithBrowser('first rows with long texts', () => {
	const browser = useChromium();
	const { site, service } = useSiteAndService(() => list);

	async function firstRows(view: View = {}) {
		const { page, complaints } = await visitConsole(browser(), service, view);
		const { frame, pointAtList } = await openToPoint(page, site.baseUrl);
		await pointAtList('Emma', 'Evelina');
		await page.getByText('5 entries').waitFor();
		await frame.locator('.about').first().click();
		await page.getByLabel('Name of column 2').waitFor();
		const cell = page.locator('td', { hasText: end }).first();
		await cell.waitFor();
		const heightOf = async () => (await cell.boundingBox())?.height ?? 0;
		return { page, complaints, cell, heightOf };
	}

	test.each(sample([400, 1400]))('%i pixels wide: are a few lines each', async (width) => {
		const { page, heightOf } = await firstRows({ width });
		const table = await page.getByRole('region', { name: 'First rows' }).boundingBox();
		expect(await heightOf()).toBeLessThan(100);
		expect(table?.height).toBeLessThan(600);
	});

	test.each(sample(['click', 'Enter']))('%s shows one whole', async (how) => {
		const { cell, heightOf } = await firstRows();
		const before = await heightOf();
		const text = cell.locator('summary');
		if (how === 'click') await text.click({ position: { x: 40, y: 10 } });
		else await text.press('Enter');
		await expect.poll(heightOf).toBeGreaterThan(before * 3);
		await text.press('Enter');
		await expect.poll(heightOf).toBe(before);
	});

	testAtLength(
		'leave “Save and run” in sight on a desktop, and cover nothing that gets the focus',
		async () => {
			const { page } = await firstRows();
			const save = page.locator('#save');
			const topOf = async () => (await save.boundingBox())?.y ?? 0;
			for (const at of [0, 300]) {
				await page.evaluate(`scrollTo(0, ${at})`);
				expect((await topOf()) + ((await save.boundingBox())?.height ?? 0)).toBeLessThanOrEqual(
					901,
				);
			}
			await page.evaluate('scrollTo(0, 0)');
			for (const summary of await page.locator('.long summary').all()) {
				await summary.focus();
				const box = await summary.boundingBox();
				expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((await topOf()) + 1);
			}
		},
	);

	test.each(views(2))('%s, %i pixels wide: no finding of axe', async (colorScheme, width) => {
		const { page, complaints } = await firstRows({ colorScheme, width });
		await expectUsable({ page, complaints });
	});
});
