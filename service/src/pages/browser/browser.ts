import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { reasonOf } from '../../reasonOf.ts';
import { ChromiumLauncher } from './chromiumLauncher.ts';
import { proxyUser } from '../proxy.ts';
import type { RequestSettings } from '../requestSettings.ts';
import { noteChanges } from './documentChanges.ts';
import { within } from './within.ts';

/** Links and forms that open another window lead an agent nowhere: they open in its own. */
const keepToOneWindow = `addEventListener('click', ({ target }) =>
	target instanceof Element && target.closest('a[target]')?.removeAttribute('target'), true);
addEventListener('submit', ({ target, submitter }) => {
	target.removeAttribute('target');
	submitter?.removeAttribute('formtarget');
}, true)`;

/** Milliseconds before a browser that did not start is tried again. */
const pause = 5_000;
/** Milliseconds for a running browser to open a window, before it counts as hung. */
const answerTimeout = 30_000;
/** Characters of what is logged of a start that failed. */
const longestReason = 2_000;
/** Milliseconds for it to end in peace. Playwright kills it, whatever its state, as this process ends. */
const closeTimeout = 1_500;

/** The one browser of a service. It starts when it is first needed, and again after a crash. */
export class Browser {
	readonly #executable: string;
	readonly #log: FastifyBaseLogger;
	readonly #launcher: ChromiumLauncher;
	#starting: Promise<Chromium | undefined> | undefined;

	constructor(executable: string, log: FastifyBaseLogger) {
		this.#executable = executable;
		this.#log = log;
		this.#launcher = new ChromiumLauncher(executable, log);
	}

	/**
	 * A tab with a context of its own: cookies and storage are shared with no other agent. A browser
	 * that does not start is no page's failure: this waits until it does, or `signal` is aborted.
	 */
	async newTab(settings: RequestSettings, signal: AbortSignal): Promise<Tab> {
		let chromium = await this.#running();
		while (!chromium) {
			await sleep(pause, undefined, { signal });
			chromium = await this.#running();
		}
		const tab = await within(answerTimeout, openTab(chromium, settings));
		if (!tab) {
			this.#starting = undefined;
			this.#log.error(
				`browser hangs, starting another one: no answer within ${answerTimeout / 1000} s`,
			);
			void chromium.close().catch(() => undefined);
			throw new Error('The browser hangs.');
		}
		return tab;
	}

	/** Waits for the browser to end, but not for ever: it may hang. */
	async close(): Promise<void> {
		const starting = this.#starting;
		this.#starting = undefined;
		const closing = starting?.then((chromium) => chromium?.close());
		await within(
			closeTimeout,
			closing?.catch(() => undefined),
		);
	}

	/** The browser, started if need be; undefined if it does not start, which is logged. */
	#running(): Promise<Chromium | undefined> {
		if (this.#starting) return this.#starting;
		const forget = () => {
			if (this.#starting === starting) this.#starting = undefined;
		};
		const starting = this.#start(forget).catch((error: unknown) => {
			forget();
			this.#log.error(
				{ executable: this.#executable, reason: startFailureOf(error) },
				`browser did not start, trying again every ${pause / 1000} seconds: see whether it runs, or set SERVICE_BROWSER`,
			);
			return undefined;
		});
		return (this.#starting = starting);
	}

	async #start(onEnd: () => void): Promise<Chromium> {
		const started = await this.#launcher.launch();
		started.once('disconnected', onEnd);
		return started;
	}
}

async function openTab(
	chromium: Chromium,
	{ userAgent, headers, proxy }: RequestSettings,
): Promise<Tab> {
	const context = await chromium.newContext({
		acceptDownloads: false,
		userAgent,
		extraHTTPHeaders: headers,
		...(proxy !== undefined && { proxy: { server: new URL(proxy).origin, ...proxyUser(proxy) } }),
	});
	await context.addInitScript(keepToOneWindow);
	await context.addInitScript(noteChanges);
	return context.newPage();
}

/** What Playwright says of a browser that did not start, and what that has said itself: not all of it. */
function startFailureOf(error: unknown): string {
	const message = reasonOf(error);
	const [first] = message.split('\n');
	const said = [...message.matchAll(/^\[pid=\d+\]\[err\] (.*)$/gm)].map(([, line]) => line);
	return [first, ...said].join('\n').slice(0, longestReason);
}
