import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { wholeNode } from './clips';
import type { Clip } from './clips';

const folder = join(__dirname, '..', '..', '..', 'docs', 'images');
const maxBytes = 200_000;
/** How often to look whether the page has come to rest. */
const everyMs = 300;
const atRestWithinMs = 20_000;

/** Writes a part of what a page shows to docs/images, without what the selectors in `hidden` find. */
export async function takePicture(
	page: Page,
	name: string,
	clip: Clip,
	hidden: string[] = [],
): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await page.mouse.move(0, 0);
	const style = hidden
		.map((selector) => `${selector} { visibility: hidden !important }`)
		.join('\n');
	const file = join(folder, `${name}.png`);
	writeFileSync(file, await pictureAtRest(page, clip, style));
	expect(statSync(file).size).toBeLessThan(maxBytes);
}

/** In a narrower one, n8n cuts off the tools above the output. */
const windowOfNode = { width: 1440, height: 860 };

/** Writes the node that is open, between its input and its output. */
export async function takeNodePicture(page: Page, name: string): Promise<void> {
	const before = page.viewportSize();
	await page.setViewportSize(windowOfNode);
	await takePicture(page, name, await wholeNode(page));
	if (before) await page.setViewportSize(before);
}

/** What a page shows once nothing moves any more: two pictures in a row are the same. */
async function pictureAtRest(page: Page, clip: Clip, style: string): Promise<Buffer> {
	const take = () => page.screenshot({ clip, style, animations: 'disabled', caret: 'hide' });
	const deadline = Date.now() + atRestWithinMs;
	let [before, now] = [await take(), await take()];
	while (!now.equals(before)) {
		if (Date.now() > deadline) throw new Error('The page does not come to rest');
		await page.waitForTimeout(everyMs);
		[before, now] = [now, await take()];
	}
	return now;
}
