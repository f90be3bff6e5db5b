import { rmSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium } from 'playwright-core';
import { newTemporaryFolder, removeLeftFolders, withTemporaryFolder } from './temporaryFolder.ts';

/** What Chromium would do on its own beside the pages that it is asked for. */
const quiet = [
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Milliseconds for Chromium to start. */
const startTimeout = 30_000;

/** Starts Chromium: in its sandbox where that works, and without leaving files behind. */
export class ChromiumLauncher {
	readonly #executable: string;
	readonly #log: FastifyBaseLogger;
	/** Whether its sandbox works here; unknown before the first start. */
	#sandbox: boolean | undefined = process.getuid?.() === 0 ? false : undefined;
	/** What Chromium forgets when it is killed stands in there. */
	#temporary: string | undefined;

	constructor(executable: string, log: FastifyBaseLogger) {
		this.#executable = executable;
		this.#log = log;
		removeLeftFolders();
	}

	async launch(): Promise<Chromium> {
		const chromium = await this.#inSandboxIfPossible();
		// Behind Playwright's own listener, which kills Chromium in whatever state it is.
		process.off('exit', this.#removeTemporary);
		process.on('exit', this.#removeTemporary);
		const sandbox = this.#sandbox === true;
		if (sandbox) this.#log.info({ sandbox }, 'browser started');
		else {
			this.#log.warn(
				{ sandbox },
				'browser started without its sandbox: that needs a user other than root, and user namespaces',
			);
		}
		return chromium;
	}

	/** Foreign pages belong into the sandbox; whether it works here is known once it was tried. */
	async #inSandboxIfPossible(): Promise<Chromium> {
		if (this.#sandbox !== undefined) return this.#launch(this.#sandbox);
		try {
			const chromium = await this.#launch(true);
			this.#sandbox = true;
			return chromium;
		} catch {
			// The sandbox is the reason, unless the start without it fails as well.
			const chromium = await this.#launch(false);
			this.#sandbox = false;
			return chromium;
		}
	}

	async #launch(chromiumSandbox: boolean): Promise<Chromium> {
		const { chromium } = await import('playwright-core');
		const folder = (this.#temporary ??= newTemporaryFolder());
		return withTemporaryFolder(folder, () =>
			chromium.launch({
				executablePath: this.#executable,
				chromiumSandbox,
				args: quiet,
				timeout: startTimeout,
				handleSIGINT: false,
				handleSIGTERM: false,
				handleSIGHUP: false,
			}),
		);
	}

	readonly #removeTemporary = (): void => {
		if (this.#temporary) rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
	};
}
