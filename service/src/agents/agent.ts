import { setImmediate as nextTurn } from 'node:timers/promises';
import { PageError, type Page, type Row, type Switched } from '../pages/page.ts';
import { itemsOf, splittableLoop } from '../tasks/splitJobs.ts';
import {
	allSteps,
	fieldsOf,
	type CountLoop,
	type ElementLoop,
	type ExtractDataStep,
	type LoopStep,
	type PageLoop,
	type ScrollLoop,
	type Step,
	type TextLoop,
	type UrlLoop,
	type WaitStep,
} from '../tasks/task.ts';
import { addressOf, maxLoopTimes } from '../tasks/values.ts';
import type { Assignment } from './assignment.ts';
import { attempt } from './attempt.ts';
import { checkPageUrl } from './checkPageUrl.ts';
import { readingsOf } from './pageReadings.ts';
import { PageFinds } from './pageFinds.ts';
import { PageTrail } from './pageTrail.ts';
import { firstRowPlace, type Place, type Positions } from './place.ts';
import { RowReader } from './rowReader.ts';
import { Switches } from './switches.ts';
import { WholePages } from './wholePages.ts';

/** The times of a loop that has no number of its own. */
const endless = Infinity;
/** Such a loop ends when so many rounds in a row have brought no new row. */
const maxBarrenRounds = 50;

/** The worker that executes one job: it runs the steps of a task on a page. */
export class Agent {
	readonly #page: Page;
	readonly #job: Assignment;
	/** The address that was opened last. */
	#address = '';
	readonly #reader: RowReader;
	readonly #pageFinds: PageFinds;
	/** Where the loop by page is that the agent is in. */
	#trail: PageTrail | undefined;
	readonly #switches: Switches;
	readonly #wholePages: WholePages;
	/** How often this agent stored rows that were new. */
	#finds = 0;
	/** How many rows it has read, new or not. */
	#rows = 0;
	/** How many pages it has given up. */
	#failures = 0;

	constructor(page: Page, job: Assignment) {
		this.#page = page;
		this.#job = job;
		this.#switches = new Switches(job.log);
		this.#wholePages = new WholePages(page, job.log);
		this.#pageFinds = new PageFinds(page, job);
		this.#reader = new RowReader(page, job, this.#pageFinds);
	}

	/** Works until the job is done; throws the signal's reason when that is aborted. */
	async work(): Promise<void> {
		const start = { position: '' };
		await this.#round(this.#job.task.steps, { what: 'steps', ...start }, () => start);
		this.#pageFinds.end();
	}

	/**
	 * Runs the steps of a round, or of the whole task, on the place that `begin` goes to for each try. If a
	 * page was given up in it and no row has come, what it had read for its rows is one, where the first
	 * of them would stand. So that row and this one are never both stored, whatever comes after a restart.
	 */
	async #round(
		steps: Step[],
		about: { what: string; position: string },
		begin: (tryNumber: number) => Promise<Place> | Place,
	): Promise<void> {
		const [rows, failures] = [this.#rows, this.#failures];
		let kept: { columns: Row; place: Place | undefined } | undefined;
		await this.#attempt(async (tryNumber) => {
			const place = await begin(tryNumber);
			let { columns } = place;
			for (const [index, step] of steps.entries()) {
				this.#job.signal.throwIfAborted();
				const here = { ...place, columns, position: `${place.position}/${index}` };
				if (isForLater(step)) {
					columns = { ...columns, ...(await this.#reader.firstRow(step, here)) };
					kept = { columns, place: firstRowPlace(steps, place, index + 1) };
				} else await this.#runStep(step, here);
			}
		}, about);
		if (!kept?.place || this.#rows > rows || this.#failures === failures) return;
		// Around a loop that may be split, each job would give this row again.
		if (steps === this.#job.task.steps && splittableLoop(this.#job.task)) return;
		await this.#store([kept.columns], this.#reader.positions(kept.place));
	}

	async #runStep(step: Step, place: Place): Promise<void> {
		switch (step.type) {
			case 'navigate':
				return this.#open('url' in step.config ? step.config.url : await this.#itemLink(place));
			case 'inputText': {
				const { config } = step;
				const text = 'text' in config ? config.text : await this.#itemText(place);
				await this.#type(config.selector, text);
				if (config.submit) await this.#submit(config.selector);
				return this.#page.checkAnswered();
			}
			case 'click': {
				const selector = 'selector' in step.config ? step.config.selector : undefined;
				const switched = await this.#click(selector, step.config.waitFor);
				await this.#page.checkAnswered();
				return this.#switches.note(step, switched, this.#address);
			}
			case 'wait':
				return this.#wait(step.config);
			case 'loop':
				return this.#loop(step, place);
			case 'extractData': {
				const positions = this.#reader.positions(place);
				for await (const rows of this.#reader.rows(step, place)) {
					await this.#store(rows, positions);
				}
				return;
			}
		}
	}

	async #store(rows: Row[], positions: Positions): Promise<void> {
		this.#rows += rows.length;
		if (await this.#job.storeRows(rows, positions)) this.#finds += 1;
	}

	#loop(step: LoopStep, place: Place): Promise<void> {
		const { config } = step;
		switch (config.loopType) {
			case 'count':
				return this.#repeat(config, place, () => Promise.resolve(true));
			case 'page':
				return this.#loopPages(config, place);
			case 'scroll':
				return this.#repeat(config, { ...place, scrolling: true }, () =>
					this.#page.scroll(config.selector),
				);
			case 'list':
				return config.listType === 'elements'
					? this.#loopElements(step, config, place)
					: this.#loopList(step, config, place);
		}
	}

	async #loopList(step: LoopStep, config: UrlLoop | TextLoop, place: Place): Promise<void> {
		const items = itemsOf(config);
		const isSplit = step === splittableLoop(this.#job.task);
		const { first, end } = isSplit ? this.#job.part : { first: 0, end: items.length };
		const opensItsPage = config.steps[0]?.type === 'navigate';
		const back = this.#bookmark();
		for (const [offset, value] of items.slice(first, end).entries()) {
			const index = first + offset;
			const inside = { ...place, position: `${place.position}.${index}`, item: { value } };
			const about = { what: value, position: inside.position };
			await this.#round(config.steps, about, async () => {
				if (!opensItsPage) await back();
				return inside;
			});
			if (isSplit) await this.#job.advance(index + 1);
		}
	}

	async #loopElements(step: LoopStep, config: ElementLoop, place: Place): Promise<void> {
		const back = this.#bookmark();
		const elements = await this.#page.elements(config.selector);
		const selector = { step: step.id, selector: config.selector };
		await this.#pageFinds.note([{ selector, found: elements.length > 0 }], place);
		const page = this.#page.address();
		const wantsItem = fieldsOf(config.steps).some(({ source }) => source === 'loopItem');
		const opensItsPage = config.steps[0]?.type === 'navigate' && !wantsItem;
		for (const [index, element] of elements.entries()) {
			const address = opensItsPage ? element.mark?.address : undefined;
			const position = `${place.position}.${index}`;
			const about = { what: `element ${index + 1} of ${config.selector}`, position };
			await this.#round(config.steps, about, async () => {
				// Where it leads to is opened without the page that it is on.
				if (address === undefined) {
					await back();
					this.#page.enter(element);
				}
				// Not to be had any more once another page is open.
				const text = wantsItem ? await this.#page.enteredText() : '';
				return { ...place, position, item: { element: true, text, address, page } };
			});
		}
		await back();
	}

	/**
	 * Goes from page to page by a "next" link, until there is none that a click can follow, it says that
	 * it is another link, or it leads to a page seen before.
	 */
	async #loopPages(config: PageLoop, place: Place): Promise<void> {
		const around = this.#trail;
		const { selector } = config;
		const way = {
			selector,
			readings: readingsOf(config.steps),
			areRowsOwn: fieldsOf(config.steps).some(({ source }) => source === 'pageUrl'),
			turn: () => this.#click(selector),
		};
		const trail = new PageTrail(this.#page, way, around);
		if (this.#address !== '') await trail.begin();
		this.#trail = trail;
		try {
			await this.#repeat(config, place, async (back) => {
				await back();
				const end = await trail.goOn();
				if (!end) return true;
				const { url, reason } = end;
				this.#job.log[end.isExpected ? 'info' : 'warn']({ url, reason }, 'loop by page ended');
				return false;
			});
		} finally {
			this.#trail = around;
		}
	}

	/** Remembers the page as it is now, and returns a way back to it. */
	#bookmark(): () => Promise<void> {
		const bookmark = this.#page.bookmark();
		const trail = this.#trail?.isHere ? this.#trail : undefined;
		return () => (trail ? trail.back(bookmark) : bookmark.goBack());
	}

	/** Runs the steps of a loop as often as it says; `goOn` brings up what the next round works on, if there is any. */
	async #repeat(
		config: CountLoop | PageLoop | ScrollLoop,
		place: Place,
		goOn: (back: () => Promise<void>) => Promise<boolean>,
	): Promise<void> {
		const { steps } = config;
		const times = timesOf(config);
		const finding = times === endless && allSteps(steps).some(({ type }) => type === 'extractData');
		const most = Math.min(times, maxLoopTimes);
		for (let round = 0, barren = 0; round < most; round += 1) {
			const finds = this.#finds;
			const back = this.#bookmark();
			const position = `${place.position}.${round}`;
			const inside = place.scrolling ? place : { ...place, position };
			await this.#round(steps, { what: `round ${round + 1}`, position }, async (tryNumber) => {
				if (tryNumber > 1) await back();
				return inside;
			});
			if (round + 1 === most) return;
			barren = this.#finds > finds ? 0 : barren + 1;
			if (finding && barren === maxBarrenRounds) {
				const reason = `no new row in ${maxBarrenRounds} rounds`;
				this.#job.log.warn({ url: this.#address, rounds: round + 1, reason }, 'loop ended');
				return;
			}
			let more = false;
			const next = { what: `going on to round ${round + 2}`, position: `${position} next` };
			await this.#attempt(async (tryNumber) => {
				if (tryNumber > 1) await back();
				more = await goOn(back);
			}, next);
			if (!more) return;
		}
	}

	async #type(selector: string, text: string): Promise<void> {
		const other = await this.#page.inputText(selector, text);
		if (other === undefined) return;
		const reason = `a script of the page has made ${other.held} of ${other.typed}, typed into ${selector}`;
		this.#job.log.warn({ url: this.#address, reason }, 'field holds another text');
	}

	async #open(url: string): Promise<void> {
		const address = addressOf(url, this.#job.site);
		checkPageUrl(address);
		this.#address = new URL(address).href;
		await this.#wholePages.open(this.#address, () =>
			this.#job.visits.ask(this.#address, () => this.#page.open(address)),
		);
		this.#pageFinds.came(this.#address);
		this.#job.log.info({ url: this.#address }, 'page opened');
	}

	/** Without a page that was opened, the page says so itself. */
	async #click(selector?: string, waitFor?: string): Promise<Switched> {
		const leadsTo = await this.#page.leadsTo(selector);
		let switched: Switched;
		const click = async () => {
			switched = await this.#page.click(selector, waitFor);
		};
		if (leadsTo !== undefined) checkPageUrl(leadsTo);
		const isAddressKnown = leadsTo !== undefined;
		if (!isAddressKnown && this.#address === '') await click();
		else await this.#job.visits.ask(leadsTo ?? this.#address, click, { isAddressKnown });
		if (leadsTo !== undefined) this.#pageFinds.came(leadsTo);
		return switched;
	}

	/** Where a form leads to shows only when it is sent. */
	async #submit(selector: string): Promise<void> {
		const submit = () => this.#page.submit(selector);
		if (this.#address === '') return submit();
		await this.#job.visits.ask(this.#address, submit, { isAddressKnown: false });
	}

	async #wait(config: WaitStep['config']): Promise<void> {
		if ('milliseconds' in config) return this.#job.visits.pause(config.milliseconds);
		if (await this.#page.has(config.selector)) return;
		throw new PageError(`The page has no element ${config.selector}.`);
	}

	#itemLink({ item }: Place): Promise<string> | string {
		if (!item) return this.#page.enteredLink();
		if ('value' in item) return item.value;
		return item.address ?? this.#page.enteredLink();
	}

	#itemText({ item }: Place): Promise<string> | string {
		return item && 'value' in item ? item.value : this.#page.enteredText();
	}

	async #attempt(
		work: (tryNumber: number) => Promise<void>,
		{ what, position }: { what: string; position: string },
	): Promise<void> {
		const { visits, log, signal } = this.#job;
		// Loops whose steps ask for nothing would let nobody else have a turn.
		await nextTurn();
		const failure = await attempt(work, { what, visits, log, signal });
		if (!failure) return;
		const { url, ...rest } = failure;
		this.#failures += 1;
		await this.#job.pageFailed({ position, what, address: url ?? this.#address, ...rest });
	}
}

/** A step whose values become columns of the rows that follow. */
function isForLater(step: Step): step is ExtractDataStep {
	return step.type === 'extractData' && step.config.emit === false;
}

function timesOf(config: CountLoop | PageLoop | ScrollLoop): number {
	return 'times' in config ? config.times : endless;
}
