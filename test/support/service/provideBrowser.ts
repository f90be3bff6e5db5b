import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { browserMissing, findBrowser } from '../../../service/src/pages/browser/findBrowser.ts';

/**
 * Before a suite that has tests which need a browser: gets one where that is possible, and leaves word
 * for `browser.ts` whether there is one. Throws in CI, where nothing may be skipped.
 */
export default async function provideBrowser(): Promise<void> {
	const script = join(__dirname, '..', '..', '..', 'scripts', 'browser.mjs');
	execFileSync(process.execPath, [script], { stdio: 'inherit' });
	const found = await findBrowser(undefined, process.env.PATH ?? '');
	if (found === undefined && process.env.CI) throw new Error(browserMissing);
	process.env.BROWSER_FOR_TESTS = found ?? 'none';
	const folders = (process.env.PATH ?? '').split(delimiter);
	const withWindows = folders.map((folder) => join(folder, 'chromium')).find(existsSync);
	if (withWindows) process.env.BROWSER_WITH_WINDOWS = withWindows;
}
