import { isHere, PageError, type MayAsk, type Page, type Switched } from '../pages/page.ts';
import type { WaitStep } from '../tasks/task.ts';
import { addressOf } from '../tasks/values.ts';
import type { Assignment } from './assignment.ts';
import { checkPageUrl } from './checkPageUrl.ts';
import type { PageFinds } from './pageFinds.ts';
import { WholePages } from './wholePages.ts';

/** Where to go; `mayStay`: as `Page.open` has it; `doubt`: why what is there may be nothing of who leads there, for people. */
export interface Link {
	url: string;
	mayStay?: boolean | undefined;
	doubt?: string | undefined;
}

/** A page that is opened before it is asked for. */
interface Ahead {
	address: string;
	/** False where its browser has gone meanwhile. */
	opening: Promise<boolean>;
	/** When it was there, or had failed, by `performance.now()`. */
	settledAt: number;
}

/** What the steps of a job do to its page: what asks a site for a page waits for its turn there. */
export class Actions {
	readonly #page: Page;
	readonly #job: Assignment;
	readonly #pageFinds: PageFinds;
	readonly #wholePages: WholePages;
	/** The address that was opened last; empty before the first. */
	#address = '';
	/** A page that is on its way before it is asked for. */
	#ahead: Ahead | undefined;

	constructor(page: Page, job: Assignment, pageFinds: PageFinds) {
		this.#page = page;
		this.#job = job;
		this.#pageFinds = pageFinds;
		this.#wholePages = new WholePages(page, job);
	}

	get address(): string {
		return this.#address;
	}

	/** `step`: by which its pages are known. */
	async open({ url, mayStay, doubt }: Link, step: string): Promise<void> {
		const address = addressOf(url, this.#job.site);
		checkPageUrl(address);
		this.#job.sentByJob.leaveStep();
		this.#address = new URL(address).href;
		let ahead = this.#ahead?.address === address ? this.#ahead.opening : undefined;
		this.#ahead = undefined;
		await this.#wholePages.open(this.#address, step, async () => {
			const isThere = await ahead;
			ahead = undefined;
			if (isThere !== true) await this.#ask(address, mayStay);
		});
		this.#pageFinds.came(this.#address);
		this.#noteLanding(step);
		this.#job.log.info({ url: this.#address }, 'page opened');
		if (doubt) this.#job.log.warn({ url: this.#address, reason: doubt }, 'entry without a page');
	}

	/** Opens the page that `open` is called for next: a failure of that page is one of that call. */
	openAhead(url: string): void {
		const address = addressOf(url, this.#job.site);
		if (this.#ahead?.address === address) return;
		const opening = this.#ask(address).then(
			() => true,
			(error: unknown) => {
				if (error instanceof PageError && isHere(error.outage)) return false;
				throw error;
			},
		);
		const ahead: Ahead = { address, opening, settledAt: Infinity };
		this.#ahead = ahead;
		const settled = () => void (ahead.settledAt = performance.now());
		opening.then(settled, settled);
	}

	/** For how many milliseconds the page that was opened ahead has been there. */
	get waits(): number {
		return Math.max(0, performance.now() - (this.#ahead?.settledAt ?? Infinity));
	}

	/** Whether no site has left anything by which it would know this visitor again. */
	async isUnknown(): Promise<boolean> {
		return (await this.#page.isUnknown?.()) ?? false;
	}

	async #ask(address: string, mayStay?: boolean): Promise<void> {
		checkPageUrl(address);
		// As the standard writes it: the addresses that it is compared with are written so.
		const { href } = new URL(address);
		await this.#job.visits.ask(href, (mayAsk) => this.#page.open(href, mayAsk, { mayStay }));
	}

	/** Whether the field held another text before. `submit`: sends it, unless it has led to another page by itself, as a choice may: there is nothing in the field there. */
	async type(
		selector: string,
		text: string,
		{ submit }: { submit?: boolean | undefined } = {},
	): Promise<boolean> {
		const document = this.#page.documentID?.();
		const { isNew, held } = await this.#page.inputText(selector, text);
		if (held !== undefined) {
			const reason = `a script of the page has made ${held.held} of ${held.typed}, typed into ${selector}`;
			this.#job.log.warn({ url: this.#address, reason }, 'field holds another text');
		}
		if (submit && this.#page.documentID?.() === document) await this.#submit(selector);
		return isNew;
	}

	/** Without a page that was opened, the page says so itself. */
	async click(selector?: string, waitFor?: string): Promise<Switched> {
		const leadsTo = await this.#page.leadsTo(selector);
		let switched: Switched;
		const click = async (mayAsk?: MayAsk) => {
			switched = await this.#page.click(selector, waitFor, mayAsk);
		};
		if (leadsTo !== undefined) checkPageUrl(leadsTo);
		const isAddressKnown = leadsTo !== undefined;
		if (!isAddressKnown && this.#address === '') await click();
		else await this.#job.visits.ask(leadsTo ?? this.#address, click, { isAddressKnown });
		if (leadsTo !== undefined) this.#pageFinds.came(leadsTo);
		this.#noteLanding(`click on ${selector ?? 'the loop item'}`);
		return switched;
	}

	/** Where a form leads to shows only when it is sent. */
	async #submit(selector: string): Promise<void> {
		let lack: string | undefined;
		const submit = async (mayAsk?: MayAsk) => {
			lack = await this.#page.submit(selector, mayAsk);
		};
		if (this.#address === '') await submit();
		else await this.#job.visits.ask(this.#address, submit, { isAddressKnown: false });
		if (lack === undefined) return;
		const reason = `Enter in ${selector} has sent nothing, and nothing has changed on the page: ${lack}`;
		this.#job.log.warn({ url: this.#address, reason }, 'step not answered');
	}

	#noteLanding(step: string): void {
		const asked = this.#page.askedAddress?.();
		if (asked !== undefined) this.#job.noteLanding(asked, this.#page.address(), step);
	}

	async wait(config: WaitStep['config']): Promise<void> {
		if ('milliseconds' in config) return this.#job.visits.pause(config.milliseconds);
		if (await this.#page.has(config.selector)) return;
		throw new PageError(`The page has no element ${config.selector}.`);
	}
}
