import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { isPageUrl } from '../tasks/checkTask.ts';
import { itemsOf, splittableLoop, type JobPart } from '../tasks/splitJobs.ts';
import type {
	ElementLoop,
	LoopStep,
	PageLoop,
	ScrollLoop,
	Step,
	Task,
	TextLoop,
	UrlLoop,
} from '../tasks/task.ts';
import { maximumLoopTimes, sitePlaceholder } from '../tasks/taskSchema.ts';
import { attempt } from './attempt.ts';
import { PageError, type Page } from '../pages/page.ts';
import { itemValue, positioned, type Place } from './place.ts';
import { SeenPages } from '../pages/seenPages.ts';

/** A job as its agent sees it. */
export interface Assignment {
	task: Task;
	/** The items to work on, if the job is a part of a run that was split. */
	part: JobPart;
	/** The address that `{site}` stands for. */
	site: string;
	log: FastifyBaseLogger;
	/** Ends the work when the batch is stopped or the service shuts down. */
	signal: AbortSignal;
	/** Takes rows as they are scraped, each with the position in the steps where that was. */
	storeRows(rows: { position: string; content: string }[]): void;
	/** All items of the part before `item` are done. */
	advance(item: number): void;
}

/** The worker that executes one job: it runs the steps of a task on a page. */
export class Agent {
	readonly #page: Page;
	readonly #job: Assignment;

	constructor(page: Page, job: Assignment) {
		this.#page = page;
		this.#job = job;
	}

	/** Works until the job is done; throws the signal's reason when that is aborted. */
	async work(): Promise<void> {
		await this.#attempt(() => this.#run(this.#job.task.steps, { position: '' }), 'steps');
	}

	async #run(steps: Step[], place: Place): Promise<void> {
		for (const [index, step] of steps.entries()) {
			this.#job.signal.throwIfAborted();
			await this.#runStep(step, { ...place, position: `${place.position}/${index}` });
		}
	}

	async #runStep(step: Step, place: Place): Promise<void> {
		switch (step.type) {
			case 'navigate':
				return this.#open('url' in step.config ? step.config.url : await this.#itemLink(place));
			case 'inputText': {
				const { config } = step;
				const text = 'text' in config ? config.text : await this.#itemText(place);
				return this.#page.inputText(config.selector, text);
			}
			case 'click': {
				await this.#delay();
				const selector = 'selector' in step.config ? step.config.selector : undefined;
				return this.#page.click(selector, step.config.waitFor);
			}
			case 'loop':
				return this.#loop(step, place);
			case 'extractData': {
				const rows = await this.#page.read(step.config.selector, step.config.fields);
				this.#job.signal.throwIfAborted();
				return this.#job.storeRows(positioned(rows, place));
			}
		}
	}

	#loop(step: LoopStep, place: Place): Promise<void> {
		const { config } = step;
		switch (config.loopType) {
			case 'count':
				return this.#repeat(config.steps, config.times, place, () => Promise.resolve(true));
			case 'page':
				return this.#loopPages(config, place);
			case 'scroll':
				return this.#repeat(config.steps, timesOf(config), { ...place, scrolling: true }, () =>
					this.#page.scroll(),
				);
			case 'list':
				return config.listType === 'elements'
					? this.#loopElements(config, place)
					: this.#loopList(config, place, step === splittableLoop(this.#job.task));
		}
	}

	async #loopList(config: UrlLoop | TextLoop, place: Place, split: boolean): Promise<void> {
		const items = itemsOf(config);
		const { first, end } = split ? this.#job.part : { first: 0, end: items.length };
		const opensItsPage = config.steps[0]?.type === 'navigate';
		const back = await this.#page.bookmark();
		for (const [offset, value] of items.slice(first, end).entries()) {
			const index = first + offset;
			const inside = { ...place, position: `${place.position}.${index}`, item: { value } };
			await this.#attempt(async () => {
				if (!opensItsPage) await back();
				await this.#run(config.steps, inside);
			}, value);
			if (split) this.#job.advance(index + 1);
		}
	}

	async #loopElements(config: ElementLoop, place: Place): Promise<void> {
		const back = await this.#page.bookmark();
		const count = await this.#page.count(config.selector);
		for (let index = 0; index < count; index += 1) {
			const position = `${place.position}.${index}`;
			await this.#attempt(
				async () => {
					await back();
					await this.#page.enter(config.selector, index);
					await this.#run(config.steps, { ...place, position, item: 'element' });
				},
				`element ${index + 1} of ${config.selector}`,
			);
		}
		await back();
	}

	/** Goes from page to page by a "next" link, until there is none or it leads to a page seen before. */
	async #loopPages(config: PageLoop, place: Place): Promise<void> {
		const { log } = this.#job;
		const seen = new SeenPages();
		seen.add(await this.#page.fingerprint());
		await this.#repeat(config.steps, timesOf(config), place, async (back) => {
			await back();
			const before = await this.#page.fingerprint();
			if (!(await this.#page.has(config.selector))) {
				log.info({ url: before.address, reason: `no ${config.selector}` }, 'loop by page ended');
				return false;
			}
			await this.#delay();
			await this.#page.click(config.selector);
			const after = await this.#page.fingerprint(before);
			if (seen.add(after)) return true;
			log.info({ url: after.address, reason: 'page was seen before' }, 'loop by page ended');
			return false;
		});
	}

	/** Runs the steps up to `times` times; between two rounds, `goOn` brings up what the next works on. */
	async #repeat(
		steps: Step[],
		times: number,
		place: Place,
		goOn: (back: () => Promise<void>) => Promise<boolean>,
	): Promise<void> {
		for (let round = 0; round < times; round += 1) {
			const back = await this.#page.bookmark();
			const position = place.scrolling ? place.position : `${place.position}.${round}`;
			await this.#attempt(
				async (tryNumber) => {
					if (tryNumber > 1) await back();
					await this.#run(steps, { ...place, position });
				},
				`round ${round + 1}`,
			);
			if (round + 1 === times) return;
			let more = false;
			await this.#attempt(
				async (tryNumber) => {
					if (tryNumber > 1) await back();
					more = await goOn(back);
				},
				`going on to round ${round + 2}`,
			);
			if (!more) return;
		}
	}

	async #open(url: string): Promise<void> {
		await this.#delay();
		const address = url.replace(sitePlaceholder, this.#job.site);
		// Links and texts come from elsewhere, and a browser would open files of this machine.
		if (!isPageUrl(address)) throw new PageError(`"${address}" is no http or https URL.`);
		await this.#page.open(address);
		this.#job.log.info({ url: address }, 'page opened');
	}

	async #delay(): Promise<void> {
		await sleep(this.#job.task.delay ?? 0, undefined, { signal: this.#job.signal });
	}

	#itemLink({ item }: Place): Promise<string> | string {
		return item === 'element' ? this.#page.enteredLink() : itemValue(item);
	}

	#itemText({ item }: Place): Promise<string> | string {
		return item === 'element' ? this.#page.enteredText() : itemValue(item);
	}

	#attempt(work: (tryNumber: number) => Promise<void>, what: string): Promise<boolean> {
		return attempt(work, { what, log: this.#job.log, signal: this.#job.signal });
	}
}

function timesOf(config: PageLoop | ScrollLoop): number {
	return config.timesMode === 'custom' ? config.times : maximumLoopTimes;
}
