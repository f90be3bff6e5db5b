import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(__dirname, '..', '..', 'docs', 'images');
const LARGEST_BYTES = 200_000;

export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Writes what a page shows, or the part of it in `clip`, to docs/images. */
export async function takePicture(page: Page, name: string, clip?: Clip): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${name}.png`);
	writeFileSync(file, await page.screenshot({ clip, animations: 'disabled', caret: 'hide' }));
	expect(statSync(file).size).toBeLessThan(LARGEST_BYTES);
}
