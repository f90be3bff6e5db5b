import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFullLength, sample, testAtLength } from '../length';
import { pageKinds } from './taskFiles';

type PageKind = (typeof pageKinds)[number];

// `provideBrowser` has looked before the suite. What is skipped, the runner counts.
const isThere = process.env.BROWSER_FOR_TESTS !== 'none';

/**
 * Settings for a service that is a process of its own, and opens pages in a browser: at full length it is
 * the one with windows, which most users have.
 */
export const browserOfUsers: Record<string, string> =
	isFullLength && process.env.BROWSER_WITH_WINDOWS
		? { SERVICE_BROWSER: process.env.BROWSER_WITH_WINDOWS }
		: {};

/** For tests that need a browser: skipped where there is none and none can be installed. */
export const describeWithBrowser = isThere ? describe : describe.skip;
export const testWithBrowser = isThere ? test : test.skip;
export const testWithBrowserAtLength = isThere ? testAtLength : test.skip;
export const concurrentTestWithBrowser = isThere ? test.concurrent : test.concurrent.skip;

/** Cases that both kinds of pages have: all on http pages, every eighth in a browser at short length. */
export const sampleOn = <Case>(page: PageKind, cases: readonly Case[]): Case[] =>
	page === 'http' ? [...cases] : sample(cases);

/** The same tests for both kinds of pages: those on browser pages as `describeWithBrowser` does it. */
export function describeOnBothPages(title: string, tests: (page: PageKind) => void): void {
	for (const page of pageKinds) {
		const describePages = page === 'browser' ? describeWithBrowser : describe;
		describePages(`${title} ${page}`, () => tests(page));
	}
}

/** The same, but in a browser at full length alone: a gross mistake there is seen by the tests of steps, fields and forms. */
export function describeOnBothPagesAtLength(title: string, tests: (page: PageKind) => void): void {
	if (isFullLength) describeOnBothPages(title, tests);
	else describe(`${title} http`, () => tests('http'));
}

/** A browser that does not start until it is mended, in a folder, where the file `environment` says what it was told then. */
export async function brokenBrowser(folder: string) {
	const broken = join(folder, 'broken');
	const executable = join(folder, 'browser');
	await writeFile(broken, '');
	const script = `#!/bin/sh
		if [ "$1" = --version ]; then echo Chromium 1.2.3.4; exit; fi
		if [ -e ${broken} ]; then exit 1; fi
		env > ${join(folder, 'environment')}
		exec ${process.env.BROWSER_FOR_TESTS} "$@"
	`;
	await writeFile(executable, script, { mode: 0o755 });
	return { executable, mend: () => rm(broken) };
}
