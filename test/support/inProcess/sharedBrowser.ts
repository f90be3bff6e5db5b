import { pino } from 'pino';
import { Browser } from '../../../service/src/pages/browser/browser.ts';

let browser: Browser | undefined;

/**
 * The browser of all services of a worker, started when the first of them needs it: each page has a
 * context of its own anyway. Undefined where there is none. It ends with the worker.
 */
export function sharedBrowser(): Browser | undefined {
	const executable = process.env.BROWSER_FOR_TESTS;
	if (executable === undefined || executable === 'none') return undefined;
	return (browser ??= new Browser(executable, pino({ level: 'silent' })));
}
