import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium, BrowserContext } from 'playwright-core';

/** What Chromium would do on its own beside the pages that it is asked for. */
const quiet = [
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Links that open another window lead an agent nowhere: they open in its own. */
const keepToOneWindow = `addEventListener('click', ({ target }) =>
	target instanceof Element && target.closest('a[target]')?.removeAttribute('target'), true)`;

/** Milliseconds for the browser to start. */
const startTimeout = 30_000;
/** Milliseconds before a browser that did not start is tried again. */
const pause = 5_000;

/** The one browser of a service. It starts when it is first needed, and again after a crash. */
export class Browser {
	readonly #executable: string;
	readonly #log: FastifyBaseLogger;
	#starting: Promise<Chromium | undefined> | undefined;

	constructor(executable: string, log: FastifyBaseLogger) {
		this.#executable = executable;
		this.#log = log;
	}

	/**
	 * A context of its own: cookies and storage are shared with no other agent. A browser that does
	 * not start is no page's failure: this waits until it does, or `signal` is aborted.
	 */
	async newContext(signal: AbortSignal): Promise<BrowserContext> {
		let chromium = await this.#running();
		while (!chromium) {
			await sleep(pause, undefined, { signal });
			chromium = await this.#running();
		}
		const context = await chromium.newContext({ acceptDownloads: false });
		await context.addInitScript(keepToOneWindow);
		return context;
	}

	async close(): Promise<void> {
		const starting = this.#starting;
		this.#starting = undefined;
		await (await starting)?.close();
	}

	/** The browser, started if need be; undefined if it does not start, which is logged. */
	#running(): Promise<Chromium | undefined> {
		this.#starting ??= this.#start().catch((error: unknown) => {
			this.#starting = undefined;
			const reason = error instanceof Error ? error.message : String(error);
			this.#log.error(
				{ executable: this.#executable, reason },
				`browser did not start, trying again every ${pause / 1000} seconds: see whether it runs, or set SERVICE_BROWSER`,
			);
			return undefined;
		});
		return this.#starting;
	}

	async #start(): Promise<Chromium> {
		const { chromium } = await import('playwright-core');
		const started = await chromium.launch({
			executablePath: this.#executable,
			args: quiet,
			timeout: startTimeout,
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		started.once('disconnected', () => (this.#starting = undefined));
		return started;
	}
}
