import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const folder = join(__dirname, '..', '..', 'docs', 'images');
const LARGEST_BYTES = 200_000;
/** How often to look whether the page has come to rest. */
const EVERY_MS = 300;
const AT_REST_WITHIN_MS = 20_000;

/** A part of the page, in CSS pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The canvas and what is around it, without n8n's own menu on the left. */
export const aroundCanvas: Clip = { x: 42, y: 0, width: 1238, height: 860 };

/** The panel on the right in which nodes are searched, as far down as it has results. */
export const nodePanel: Clip = { x: 895, y: 65, width: 385, height: 300 };

/** The parameters of the node that is open, without the panels of its input and output. */
export async function parameterPane(page: Page): Promise<Clip> {
	return await around(page.getByTestId('node-parameters'), 60);
}

/** The credential form that is open. */
export async function openForm(page: Page): Promise<Clip> {
	return await around(page.getByTestId('editCredential-modal'), 0);
}

/** Writes a part of what a page shows to docs/images. */
export async function takePicture(page: Page, name: string, clip: Clip): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await page.mouse.move(0, 0);
	const file = join(folder, `${name}.png`);
	writeFileSync(file, await pictureAtRest(page, clip));
	expect(statSync(file).size).toBeLessThan(LARGEST_BYTES);
}

/** What a page shows once nothing moves any more: two pictures in a row are the same. */
async function pictureAtRest(page: Page, clip: Clip): Promise<Buffer> {
	const take = () => page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
	const deadline = Date.now() + AT_REST_WITHIN_MS;
	let [before, now] = [await take(), await take()];
	while (!now.equals(before)) {
		if (Date.now() > deadline) throw new Error('The page does not come to rest');
		await page.waitForTimeout(EVERY_MS);
		[before, now] = [now, await take()];
	}
	return now;
}

async function around(element: Locator, above: number): Promise<Clip> {
	const box = await element.boundingBox();
	if (!box) throw new Error('What is to be pictured cannot be seen');
	return { x: box.x, y: box.y - above, width: box.width, height: box.height + above };
}
