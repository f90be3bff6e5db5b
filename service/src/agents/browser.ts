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

/** The one browser of a service. It starts when it is first needed, and again after a crash. */
export class Browser {
	readonly #executable: string;
	#starting: Promise<Chromium> | undefined;

	constructor(executable: string) {
		this.#executable = executable;
	}

	/** A context of its own: cookies and storage are shared with no other agent. */
	async newContext(): Promise<BrowserContext> {
		const chromium = await this.#running();
		const context = await chromium.newContext({ acceptDownloads: false });
		await context.addInitScript(keepToOneWindow);
		return context;
	}

	async close(): Promise<void> {
		const starting = this.#starting;
		this.#starting = undefined;
		await (await starting)?.close();
	}

	#running(): Promise<Chromium> {
		this.#starting ??= this.#start().catch((error: unknown) => {
			this.#starting = undefined;
			throw error;
		});
		return this.#starting;
	}

	async #start(): Promise<Chromium> {
		const { chromium } = await import('playwright-core');
		const started = await chromium.launch({
			executablePath: this.#executable,
			args: quiet,
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		started.once('disconnected', () => (this.#starting = undefined));
		return started;
	}
}
