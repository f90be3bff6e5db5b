import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import { findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';

/** How n8n marks what its own tests look for: the marks outlive changes of texts and styles. */
selectors.setTestIdAttribute('data-test-id');

/** Milliseconds for what is looked for on a page to be there. */
const appearsWithinMs = 10_000;

/** Milliseconds for a page to come, or an execution to end: how long that takes, a busy machine decides. */
export const comesWithinMs = 60_000;

const arguments_ = [
	'--no-sandbox',
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export type Theme = 'light' | 'dark';

export interface Browser {
	context: BrowserContext;
	stop(): Promise<void>;
}

export interface BrowserOptions {
	theme?: Theme;
	width?: number;
	height?: number;
	/** A folder for a film of each page. */
	film?: string;
}

/** Starts an installed Chromium with a profile of its own, and no window. */
export async function startBrowser({
	theme = 'light',
	width = 1280,
	height = 860,
	film,
}: BrowserOptions = {}): Promise<Browser> {
	const executablePath = await findBrowser(process.env.SERVICE_BROWSER, process.env.PATH ?? '');
	if (executablePath === undefined) {
		throw new Error('These tests need Chromium: run "npm run setup -- --tests", or install it.');
	}
	const profile = mkdtempSync(join(tmpdir(), 'cloud-scraping-browser-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath,
		args: arguments_,
		colorScheme: theme,
		viewport: { width, height },
		...(film !== undefined && { recordVideo: { dir: film, size: { width, height } } }),
		// n8n shows times in the time zone of its own settings, the browser's are UTC.
		timezoneId: 'UTC',
		locale: 'en-US',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(appearsWithinMs);
	context.setDefaultNavigationTimeout(comesWithinMs);
	return {
		context,
		stop: async () => {
			await context.close();
			rmSync(profile, { recursive: true, force: true });
		},
	};
}
