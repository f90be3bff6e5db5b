import type { FrameLocator, Page } from 'playwright-core';

/** A page of the console on which a person points at another one. */
export interface PointingPage {
	page: Page;
	/** What is pointed at. */
	frame: FrameLocator;
	/** Waits until the console has said this. */
	said: (text: string) => Promise<void>;
	/** Points at the same thing in two entries of a list, by their texts. */
	pointAtList: (one: string, another: string) => Promise<void>;
	/** Points at what leads to the next page. */
	pointAtNext: (text: string) => Promise<void>;
	/** Points at the link of an entry, which is followed. */
	pointAtLink: (text: string) => Promise<void>;
}

/** Opens an address to be pointed at, as somebody at the console does it. */
export async function openToPoint(
	page: Page,
	address: string,
	{ inBrowser = false } = {},
): Promise<PointingPage> {
	await page.goto('/console/new');
	await page.getByLabel('Address of the page').fill(address);
	if (inBrowser) await page.getByLabel('in a browser').check();
	await page.getByRole('button', { name: 'Open' }).click();
	await page.locator('#panel').waitFor();
	await page.locator('#pad[aria-busy="false"]').waitFor();

	const frame = page.frameLocator('#frame');
	const said = (text: string) => page.locator('#pointed').getByText(text).waitFor();
	const press = (name: string) => page.getByRole('button', { name }).click();
	return {
		page,
		frame,
		said,
		async pointAtList(one, another) {
			await frame.getByText(one).click();
			await said('the same thing in another entry');
			await frame.getByText(another).click();
		},
		async pointAtNext(text) {
			await press('Point at “next”');
			await said('leads to the next page');
			await frame.getByText(text).click();
			await page.getByText('Next page:').waitFor();
		},
		async pointAtLink(text) {
			await press('Follow a link of each entry');
			await said('leads to its own page');
			await frame.getByText(text).click();
		},
	};
}
