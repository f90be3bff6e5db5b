import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Browser } from '../../service/src/pages/browser/browser.ts';
import { TestClock } from '../support/inProcess/testClock';
import { testWithBrowser } from '../support/service/browser';

testWithBrowser('a browser that nobody needs ends after a minute, and begins again', async () => {
	const clock = new TestClock();
	const ends = Promise.withResolvers<number>();
	const log = pino(
		{ level: 'info' },
		{ write: (line: string) => line.includes('browser ended') && ends.resolve(clock.passed) },
	);
	// Others of this process have browsers, too.
	const place = mkdtempSync(join(tmpdir(), 'idle-browser-'));
	onTestFinished(() => rmSync(place, { recursive: true, force: true }));
	vi.stubEnv('TMPDIR', place);
	onTestFinished(() => void vi.unstubAllEnvs());
	const browser = new Browser(process.env.BROWSER_FOR_TESTS ?? '', log, clock);
	const [first, second] = [await browser.newTab({}), await browser.newTab({})];
	const own = readdirSync(place);
	expect(own).not.toEqual([]);
	const chromium = first.context().browser();
	await first.context().close();
	// Somebody still needs it, and then somebody again: the minute begins anew.
	const goOn = clock.hold();
	await second.context().close();
	await clock.sleeping(1);
	const third = await browser.newTab({});
	goOn();
	expect(third.context().browser()).toBe(chromium);
	const ended = new Promise((resolve) => chromium?.once('disconnected', resolve));
	await third.context().close();
	expect(await ends.promise).toBe(60_000);
	await ended;
	while (readdirSync(place).some((name) => own.includes(name))) await sleep(20);

	const later = await browser.newTab({});
	expect(later.context().browser()).not.toBe(chromium);
	expect(later.context().browser()?.isConnected()).toBe(true);
	await browser.close();
});
