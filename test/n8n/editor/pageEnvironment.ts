import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import type { Page } from 'playwright-core';

declare global {
	/** The page that a test of this file looks at; `openEditor` says which. */
	var pageOfTest: Page | undefined;
}

const folder = join(__dirname, '..', '..', '..', '.tmp', 'pages');

/** Saves the page as it is when a test fails, and says where, since nobody has seen it. */
export default class PageEnvironment extends TestEnvironment {
	async handleTestEvent(event: Circus.Event): Promise<void> {
		if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
		const page = this.global.pageOfTest;
		const error: unknown = event.error;
		// Of the test's own realm: it is no instance of an Error of this one.
		if (!page || typeof error !== 'object' || error === null || !('stack' in error)) return;
		const name = join(folder, (event.test?.name ?? 'hook').replaceAll(/\W+/g, '-').slice(0, 80));
		mkdirSync(folder, { recursive: true });
		await page.screenshot({ path: `${name}.png` });
		writeFileSync(`${name}.html`, await page.content());
		error.stack = `The page was ${page.url()}: ${name}.png and .html\n${String(error.stack)}`;
	}
}
