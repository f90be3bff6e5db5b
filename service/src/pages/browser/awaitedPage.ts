import type { Page as Tab, Request } from 'playwright-core';
import type { IsolatedWorld } from './isolatedWorld.ts';

/**
 * The page that a tab has asked for, until its site answers. Meanwhile Chromium answers no question about
 * the page before it, whatever that page does; so nobody waits longer than its time: then it is called off.
 */
export class AwaitedPage {
	readonly #tab: Tab;
	readonly #world: IsolatedWorld;
	/** Milliseconds for it to come. */
	readonly #timeout: number;
	#request: Request | undefined;
	#deadline: number | undefined;
	#timer: NodeJS.Timeout | undefined;
	#late: string | undefined;
	#isAnswered = false;

	constructor(tab: Tab, world: IsolatedWorld, timeout: number) {
		this.#tab = tab;
		this.#world = world;
		this.#timeout = timeout;
		tab.on('request', (request) => this.#begun(request));
		tab.on('response', (response) => {
			this.#isAnswered ||= response.request() === this.#request;
			this.#ended(response.request());
		});
		tab.on('requestfailed', (request) => this.#ended(request));
		tab.once('close', () => clearTimeout(this.#timer));
	}

	/** Whether there is one. */
	get isThere(): boolean {
		return this.#request !== undefined;
	}

	/** Whether a site has answered the last one. */
	get isAnswered(): boolean {
		return this.#isAnswered;
	}

	/** The address of one that was called off since `expect`. */
	get late(): string | undefined {
		return this.#late;
	}

	/** When its time is over, by `performance.now()`: that counts from the first page which is asked for. */
	get deadline(): number {
		return (this.#deadline ??= performance.now() + this.#timeout);
	}

	/** Something is done that may bring another page, until `deadline` if that is given. */
	expect(deadline?: number): void {
		this.#late = undefined;
		if (deadline !== undefined || !this.isThere) this.#deadline = deadline;
	}

	/** The page before it stays. */
	callOff(): void {
		if (!this.#request) return;
		this.#late = this.#request.url();
		this.#ended(this.#request);
		this.#world.stopLoading();
	}

	#begun(request: Request): void {
		if (!request.isNavigationRequest() || request.frame() !== this.#tab.mainFrame()) return;
		this.#request = request;
		this.#isAnswered = false;
		clearTimeout(this.#timer);
		const left = Math.max(this.deadline - performance.now(), 0);
		this.#timer = setTimeout(() => this.callOff(), left);
	}

	#ended(request: Request): void {
		if (request !== this.#request) return;
		this.#request = undefined;
		clearTimeout(this.#timer);
	}
}
