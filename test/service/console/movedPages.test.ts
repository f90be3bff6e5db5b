import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { startSite } from '../../support/service/startSite';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// A task whose site is gone from its address is changed by pointing at the new one.

const list = `<title>Books</title><ul>
	<li class="book"><h3>Emma</h3></li><li class="book"><h3>Evelina</h3></li></ul>`;

const { site, service } = useSiteAndService(({ url }) =>
	url.pathname === '/new' ? list : { status: 404 },
);

describeWithBrowser('a task whose page has moved', () => {
	const browser = useChromium();

	test.each([1400, 400])('%i pixels wide: is given another address', async (width) => {
		const old = await startSite(() => list);
		const { page } = await visitConsole(browser(), service, { width });
		const { pointAtList } = await openToPoint(page, `${old.baseUrl}/old`);
		await pointAtList('Emma', 'Evelina');
		await page.getByLabel('Name of the task').fill(`Books ${width}`);
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The task is saved.').waitFor();
		await old.stop();

		const change = () => page.getByRole('button', { name: 'Change by pointing' }).click();
		await change();
		await page
			.getByRole('alert')
			.getByText(`Nothing answers at ${new URL(old.baseUrl).host}.`)
			.waitFor();
		const address = page.getByLabel('Address of the page');
		expect(await address.inputValue()).toBe(`${old.baseUrl}/old`);
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
		for (const [typed, why] of [
			[`${site.baseUrl}/gone`, 'HTTP 404'],
			['not an address', 'is not an http or https URL'],
		] as const) {
			await address.fill(typed);
			await page.getByRole('button', { name: 'Open' }).click();
			await page.getByRole('alert').getByText(why).waitFor();
			expect(await address.inputValue()).toBe(typed);
		}
		await address.fill(`${site.baseUrl}/new`);
		await page.getByRole('button', { name: 'Open' }).click();
		await page.getByText('2 entries').waitFor();
		// The other address is something to be saved.
		expect(await page.locator('#save').getAttribute('data-guard')).toBe('unsaved');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The task is saved.').waitFor();
		const file = join(service.folder, 'tasks', `books-${width}.json`);
		expect(await readFile(file, 'utf8')).toContain(`"url": "${site.baseUrl}/new"`);
	});
});
