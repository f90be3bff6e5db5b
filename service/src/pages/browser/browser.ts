import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { systemClock, type Clock } from '../clock.ts';
import { reasonOf } from '../../errors/thrown.ts';
import { ChromiumLauncher } from './chromiumLauncher.ts';
import { Hangs, maxSilence } from './hangs.ts';
import { boundMemory, endBrowser } from './memoryBound.ts';
import { PageError } from '../page.ts';
import { proxyUser } from '../proxy.ts';
import type { RequestSettings } from '../requestSettings.ts';
import { secretsApart } from '../secretHeaders.ts';
import { openOnlyTab } from './onlyTab.ts';
import { openOwnPage } from './ownPage.ts';
import { within } from './within.ts';

/** Characters of what is logged of a start that failed. */
const maxReason = 2_000;
/** Milliseconds after which a browser that nobody has needed ends: it takes half a gigabyte. */
const maxIdle = 60_000;
/** Milliseconds for it to end in peace. Playwright kills it, whatever its state, as this process ends. */
const closeTimeout = 1_500;

/**
 * The one browser of a service. It starts when it is needed, again after a crash, and ends when nobody has
 * needed it for a minute.
 */
export class Browser {
	readonly #executable: string;
	readonly #log: FastifyBaseLogger;
	readonly #launcher: ChromiumLauncher;
	readonly #clock: Clock;
	#starting: Promise<Chromium | undefined> | undefined;
	/** Tabs that are open, or on their way. */
	#tabs = 0;
	/** Calls off the end of a browser that nobody needs. */
	#needed = new AbortController();

	constructor(executable: string, log: FastifyBaseLogger, clock = systemClock) {
		this.#executable = executable;
		this.#log = log;
		this.#clock = clock;
		this.#launcher = new ChromiumLauncher(executable, log);
	}

	/**
	 * A tab with a context of its own: cookies and storage are shared with no other agent. Throws a PageError, of which
	 * this machine is the cause, where the browser does not start.
	 */
	async newTab(settings: RequestSettings): Promise<Tab> {
		this.#need();
		try {
			const tab = await this.#openTab(settings);
			tab.context().once('close', () => this.#tabClosed());
			return tab;
		} catch (error) {
			this.#tabClosed();
			throw error;
		}
	}

	/** Whether pages come in it: it runs, or starts now. */
	async canOpen(): Promise<boolean> {
		this.#need();
		try {
			const chromium = await this.#running();
			if (chromium) await openOwnPage(chromium);
			return chromium !== undefined;
		} catch {
			return false;
		} finally {
			this.#tabClosed();
		}
	}

	#need(): void {
		this.#tabs += 1;
		this.#needed.abort();
	}

	async #openTab(settings: RequestSettings): Promise<Tab> {
		const chromium = await this.#running();
		if (!chromium) throw new PageError('The browser did not start.', { outage: { of: 'machine' } });
		const tab = await within(maxSilence, openTab(chromium, settings));
		if (!tab) {
			this.#starting = undefined;
			this.#endHung(chromium);
			throw new Error('The browser hangs.');
		}
		return tab;
	}

	/** Its pages fail by that, and are tried again in another one. */
	#endHung(chromium: Chromium): void {
		// It may be noticed in two ways.
		if (!chromium.isConnected()) return;
		this.#log.error(`browser hangs, starting another one: no answer within ${maxSilence / 1000} s`);
		endBrowser(chromium);
	}

	#tabClosed(): void {
		this.#tabs -= 1;
		// Where the browser has been closed, nothing is left to wait for.
		if (this.#tabs > 0 || !this.#starting) return;
		this.#needed = new AbortController();
		const idle = this.#clock.sleep(maxIdle, this.#needed.signal);
		void idle.then(
			() => this.#end(),
			() => undefined,
		);
	}

	async #end(): Promise<void> {
		this.#log.info(`browser ended: not needed for ${maxIdle / 1000} seconds`);
		await this.close();
	}

	/** Waits for the browser to end, but not for ever: it may hang. */
	async close(): Promise<void> {
		this.#needed.abort();
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
				'browser did not start: see whether it runs, or set SERVICE_BROWSER',
			);
			return undefined;
		});
		return (this.#starting = starting);
	}

	async #start(onEnd: () => void): Promise<Chromium> {
		const started = await this.#launcher.launch();
		// One that has begun may still lack what its pages need.
		await openOwnPage(started).catch((error: unknown) => {
			endBrowser(started);
			throw error;
		});
		started.once('disconnected', onEnd);
		// One that has ended by then hangs no more.
		void Hangs.of(started).then(
			({ forGood }) => forGood.then(() => this.#endHung(started)),
			() => undefined,
		);
		void boundMemory(started, this.#log).catch(() => undefined);
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
		extraHTTPHeaders: secretsApart(headers).others,
		...(proxy !== undefined && { proxy: { server: new URL(proxy).origin, ...proxyUser(proxy) } }),
	});
	return openOnlyTab(context);
}

/** What Playwright says of a browser that did not start, and what that has said itself: not all of it. */
function startFailureOf(error: unknown): string {
	const message = reasonOf(error);
	const [first] = message.split('\n');
	const said = [...message.matchAll(/^\[pid=\d+\]\[err\] (.*)$/gm)].map(([, line]) => line);
	return [first, ...said].join('\n').slice(0, maxReason);
}
