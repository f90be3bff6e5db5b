import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Browser as Chromium, Selectors } from 'playwright-core';
import { handedEngine } from './documentState.ts';
import { handedEngineName } from './elements.ts';
import { withMessageGate } from './messageGate.ts';
import {
	newTemporaryFolder,
	removeLeftFolders,
	removeTemporaryFolder,
	removeTemporaryFolders,
} from './temporaryFolder.ts';

/** What Chromium would do on its own beside the pages that it is asked for, and the windows that these open. */
const quiet = [
	'--disable-quic',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// Known to the Chromium that can have no windows; others block those that no click has opened.
	'--block-new-web-contents',
];
/**
 * WebRTC asks by UDP, straight from this machine, past the proxy of a task: the site would see, and its scripts
 * read, the address that the proxy is to keep from them. Chromium without windows knows it by the first name,
 * the one with windows by the second. It is of the whole browser, which opens pages with and without a proxy.
 */
const onlyByProxy = ['--force-webrtc-ip-handling-policy', '--webrtc-ip-handling-policy'].map(
	(name) => `${name}=disable_non_proxied_udp`,
);
/**
 * Nobody looks at the pages. Without memory for what is drawn, Chromium lays them out, moves them and tells their scripts
 * of frames as ever, but draws nothing: that takes a fifth of its work.
 */
const drawsNothing = '--force-gpu-mem-available-mb=0';
/**
 * What Playwright would have Chromium do without: it blocks windows that no click has opened, and keeps a script from
 * changing the address of its page more than twenty times a second, of each of which the browser tells us.
 */
const unwanted = ['--disable-popup-blocking', '--disable-ipc-flooding-protection'];

/** Milliseconds for Chromium to start. */
const startTimeout = 30_000;

/** Playwright takes an engine once in a process. */
let registered: Promise<void> | undefined;

/** Starts Chromium: in its sandbox where that works, and without leaving files behind. */
export class ChromiumLauncher {
	readonly #executable: string;
	readonly #log: FastifyBaseLogger;
	/** Whether its sandbox works here; unknown before the first start. */
	#sandbox: boolean | undefined = process.getuid?.() === 0 ? false : undefined;

	constructor(executable: string, log: FastifyBaseLogger) {
		this.#executable = executable;
		this.#log = log;
		removeLeftFolders();
	}

	async launch(): Promise<Chromium> {
		const chromium = await this.#inSandboxIfPossible();
		// Behind Playwright's own listener, which kills Chromium in whatever state it is.
		process.off('exit', removeTemporaryFolders);
		process.on('exit', removeTemporaryFolders);
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
		const { chromium, selectors } = await import('playwright-core');
		await (registered ??= register(selectors));
		const folder = newTemporaryFolder();
		// What Chromium forgets when it is killed stands in there.
		const remove = () => void removeTemporaryFolder(folder);
		try {
			// Only so does Playwright take a folder for the profile; its context is used by nobody.
			const unused = await withMessageGate(this.#executable, () =>
				chromium.launchPersistentContext(join(folder, 'profile'), {
					executablePath: this.#executable,
					chromiumSandbox,
					args: [...quiet, ...onlyByProxy, drawsNothing],
					ignoreDefaultArgs: unwanted,
					artifactsDir: folder,
					env: { ...environment(), TMPDIR: folder },
					timeout: startTimeout,
					handleSIGINT: false,
					handleSIGTERM: false,
					handleSIGHUP: false,
				}),
			);
			const started = unused.browser();
			if (!started) throw new Error('The browser has ended.');
			started.once('disconnected', remove);
			return started;
		} catch (error) {
			remove();
			throw error;
		}
	}
}

/**
 * What Chromium is told of the environment: where it finds its files, fonts, language, display and proxy. Pages run in it,
 * so keys and passwords of the service, and of whatever else has started that, are not told.
 */
const told =
	/^(path|home|user|logname|lang|language|tz|display|wayland_\w+|xauthority|(lc|xdg|dbus|ld|fc|fontconfig|chrome)_\w+|(https?|all|no)_proxy|system(root|drive)|windir|comspec|pathext|temp|tmp|userprofile|(local)?appdata|program(data|files|w6432)(\(x86\))?)$/i;

function environment(): NodeJS.ProcessEnv {
	const needed = Object.entries(process.env).filter(([name]) => told.test(name));
	return Object.fromEntries(
		needed.map(([name, value]) => [name, /_proxy$/i.test(name) ? withoutUser(value) : value]),
	);
}

/** The address of a proxy without user and password, of which Chromium makes no use. */
function withoutUser(proxy: string | undefined): string | undefined {
	return proxy?.replace(/^([a-z\d+.-]+:\/\/)?.*@/i, '$1');
}

function register(selectors: Selectors): Promise<void> {
	return selectors.register(handedEngineName, handedEngine, { contentScript: true });
}
