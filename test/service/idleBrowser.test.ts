import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Browser } from '../../service/src/pages/browser/browser.ts';
import { TestClock } from '../support/inProcess/testClock';
import { testWithBrowser } from '../support/service/browser';

/** Chromium, which makes its folder anew a moment after it has ended, as its processes do that end last. */
const lateWriter = `#!/bin/sh
if [ "$1" = --version ]; then exec ${process.env.BROWSER_FOR_TESTS} --version; fi
${process.env.BROWSER_FOR_TESTS} "$@"
(sleep 0.5; mkdir "$TMPDIR" "$TMPDIR/late"; touch "$TMPDIR/../again") >/dev/null 2>&1 3>&- 4>&- &
`;

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
	const executable = join(place, 'browser');
	writeFileSync(executable, lateWriter, { mode: 0o755 });
	const browser = new Browser(executable, log, clock);
	const [first, second] = [await browser.newTab({}), await browser.newTab({})];
	const [own = '', ...others] = readdirSync(place).filter((name) => name !== 'browser');
	expect(own).not.toBe('');
	expect(others).toEqual([]);
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
	while (!existsSync(join(place, 'again'))) await sleep(20);
	while (existsSync(join(place, own))) await sleep(20);

	const later = await browser.newTab({});
	expect(later.context().browser()).not.toBe(chromium);
	expect(later.context().browser()?.isConnected()).toBe(true);
	await browser.close();
});
