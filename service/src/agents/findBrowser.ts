import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const applications = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** What to tell people who have no browser for their tasks. */
export const browserMissing =
	'No Chromium or Chrome was found. Install one (on Debian and Ubuntu: "apt-get install -y chromium"), or set SERVICE_BROWSER to the path of its executable, and start the service again.';

/** The executable of an installed Chromium or Chrome: `configured`, or one in the usual places. */
export function findBrowser(configured: string | undefined, path: string): string | undefined {
	if (configured !== undefined) return configured;
	const folders = path.split(delimiter).filter((folder) => folder !== '');
	const commands = folders.flatMap((folder) => names.map((name) => join(folder, name)));
	return [...commands, ...applications].find((candidate) => existsSync(candidate));
}
