import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** First those that can have no windows: the same pages take them a sixth of the processor time. */
const names = [
	...['chromium-headless-shell', 'chrome-headless-shell'],
	...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
];

const applications = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** Chromium and what is made of it have versions of four numbers, unlike other programs. */
const browserVersion = /\b\d+\.\d+\.\d+\.\d+\b/;

/** What to tell people who have no browser for their tasks. */
export const browserMissing =
	'No Chromium or Chrome was found. Install one (on Debian: "apt-get install -y chromium"), or set SERVICE_BROWSER to the path of its executable, and start the service again.';

/**
 * The executable of an installed Chromium or Chrome: `configured`, or one in the usual places. Throws
 * an Error for people when `configured` is none.
 */
export async function findBrowser(
	configured: string | undefined,
	path: string,
): Promise<string | undefined> {
	if (configured !== undefined) {
		if (await isBrowser(configured)) return configured;
		throw new Error(
			`SERVICE_BROWSER is "${configured}", which is not a Chromium or Chrome that runs here. Set it to the path of its executable (on Debian, "apt-get install -y chromium" makes /usr/bin/chromium), or leave it empty to look in the usual places.`,
		);
	}
	const folders = path.split(delimiter).filter((folder) => folder !== '');
	const commands = names.flatMap((name) => folders.map((folder) => join(folder, name)));
	for (const executable of [...commands, ...applications]) {
		if (await isBrowser(executable)) return executable;
	}
	return undefined;
}

/** Whether a file says that it is a browser; on Windows, where Chrome cannot be asked, whether it is one. */
async function isBrowser(executable: string): Promise<boolean> {
	try {
		if (!statSync(executable).isFile()) return false;
		if (process.platform === 'win32') return true;
		const { stdout } = await promisify(execFile)(executable, ['--version'], {
			timeout: 10_000,
			killSignal: 'SIGKILL',
		});
		return browserVersion.test(stdout);
	} catch {
		// What is not there, may not be looked at, or ends with an error or never, is none that could be used.
		return false;
	}
}
