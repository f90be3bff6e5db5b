import { useChromium } from '../../support/inProcess/chromium';
import { describeWithBrowser } from '../../support/service/browser';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { expectUsable, views } from '../../support/service/usable';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

const long = 'A long description of this thing, with all of its merits. '.repeat(20).trim();
const card = (name: string) =>
	`<div class="card"><h3>${name}</h3><p>${long}</p><i>What is of a middling length: ${name.length}</i><b>9 €</b></div>`;

const { site, service } = useSiteAndService(
	() => `<title>Cards</title>${['Emma', 'Evelina'].map(card).join('')}`,
);

describeWithBrowser('the first rows of what is pointed at', () => {
	const browser = useChromium();

	test.each(views(0))(
		'%s, %i pixels wide: rows of two lines, and the column that was added in sight',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			const { frame, said, pointAtList } = await openToPoint(page, site.baseUrl);
			// What is to be done is said before anything is: also where the panel is below the window.
			await said('such as its name; then at the same in another entry');
			expect((await page.locator('#pointed').boundingBox())?.y).toBeLessThan(900);
			await pointAtList('Emma', 'Evelina');
			for (const text of [long, 'What is of a middling length: 4', '9 €']) {
				await frame.getByText(text, { exact: true }).first().click();
				await said('New column');
			}
			const head = page.getByRole('columnheader', { name: 'Price' });
			await head.waitFor();
			const rows = page.getByRole('region', { name: 'First rows' });
			const [all, added] = [await rows.boundingBox(), await head.boundingBox()];
			if (!all || !added) throw new Error('They are not shown.');
			expect(added.x + added.width).toBeLessThanOrEqual(all.x + all.width + 1);
			for (const row of await rows.getByRole('row').all()) {
				expect((await row.boundingBox())?.height).toBeLessThan(80);
			}
			const whole = rows.locator('summary').first();
			expect(await whole.getAttribute('title')).toBe(long);
			await whole.press('Enter');
			expect((await whole.boundingBox())?.height).toBeGreaterThan(80);
			await expectUsable({ page, complaints });
		},
	);
});
