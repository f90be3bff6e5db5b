import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, Row } from '../pages/page.ts';
import { itemsOf, splittableLoop } from '../tasks/splitJobs.ts';
import {
	fieldsOf,
	isForLater,
	isLast,
	timesOf,
	type ElementLoop,
	type LoopStep,
	type PageLoop,
	type RoundLoop,
	type Step,
	type TextLoop,
	type UrlLoop,
} from '../tasks/task.ts';
import { maxLoopTimes } from '../tasks/values.ts';
import { Actions } from './actions.ts';
import type { Assignment } from './assignment.ts';
import { attempt, type About } from './attempt.ts';
import { EndlessLoop } from './endlessLoop.ts';
import { GrowingLists } from './growingLists.ts';
import { HeldRows } from './heldRows.ts';
import { inItems, insideItem } from './itemsAround.ts';
import { lostPage } from './lostPage.ts';
import { PagesAhead } from './pagesAhead.ts';
import { PageFinds } from './pageFinds.ts';
import { PageTrail, type End } from './pageTrail.ts';
import { nextOf, wayOf, type Way } from './pageWay.ts';
import { firstRowPlace, linkOfStep, textOfItem, type Place, type Positions } from './place.ts';
import { Restarts } from './restarts.ts';
import { RowReader } from './rowReader.ts';
import { scrollThrough } from './scrollThrough.ts';
import { StepAnswers, type StepInRound } from './stepAnswers.ts';
import { Switches } from './switches.ts';
import { needsBeginning, needsList, wayBack, type IsThere, type WayBack } from './wayBack.ts';

/** What a loop repeats its steps on. */
interface Repeated {
	place: Place;
	/** The steps that follow the loop. */
	behind: Step[];
	/** Brings up what the next round works on; false if there is none. */
	goOn: (back: () => Promise<void>, tryNumber: number) => Promise<boolean>;
}

/** The worker that executes one job: it runs the steps of a task on a page. */
export class Agent {
	readonly #page: Page;
	readonly #job: Assignment;
	readonly #actions: Actions;
	readonly #reader: RowReader;
	readonly #pageFinds: PageFinds;
	/** Where the loop by page is that the agent is in. */
	#trail: PageTrail | undefined;
	/** What is known of "next" in each loop by page. */
	readonly #nexts = new Map<PageLoop, Way['next']>();
	readonly #switches: Switches;
	readonly #answers: StepAnswers;
	/** Takes rows on their way to the store. */
	#keep = async (rows: Row[], positions: Positions): Promise<void> => {
		if ((await this.#job.storeRows(rows, positions)) && positions.haveNew) this.#finds += 1;
	};
	readonly #growingLists: GrowingLists;
	readonly #restarts = new Restarts();
	/** How often this agent stored rows that were new. */
	#finds = 0;
	/** How many rows it has read, new or not. */
	#rows = 0;
	/** How many pages it has given up. */
	#failures = 0;
	/** Takes turns with this one in a loop whose pages are opened ahead. */
	#partner: Agent | undefined;

	constructor(job: Assignment) {
		[this.#page, this.#job] = [job.openPage(), job];
		this.#switches = new Switches(job.log);
		this.#growingLists = new GrowingLists(job.log);
		this.#pageFinds = new PageFinds(this.#page, job);
		this.#actions = new Actions(this.#page, job, this.#pageFinds);
		this.#answers = new StepAnswers(this.#page, job);
		this.#reader = new RowReader(this.#page, job, this.#pageFinds);
	}

	/** Works until the job is done; throws the signal's reason when that is aborted. */
	async work(): Promise<void> {
		const whole = { position: '' };
		await this.#round(this.#job.task.steps, { what: 'steps', ...whole }, () => whole);
		for (const agent of [this, this.#partner]) if (agent) agent.#pageFinds.end();
	}

	/**
	 * Runs the steps of a round, or of the whole task, on the place that `begin` goes to for each try. If a
	 * page was given up in it and no row has come, what it had read for its rows is one, where the first
	 * of them would stand. So that row and this one are never both stored, whatever comes after a restart.
	 * `goesOn`: the next round begins where this one ends.
	 */
	async #round(
		steps: Step[],
		{ goesOn = false, ...about }: About & { goesOn?: boolean },
		begin: (tryNumber: number) => Promise<Place> | Place,
		end?: () => Promise<void>,
	): Promise<void> {
		const [rows, failures] = [this.#rows, this.#failures];
		let kept: { columns: Row; place: Place | undefined } | undefined;
		await this.#attempt(async (tryNumber) => {
			const place = await begin(tryNumber);
			let { columns } = place;
			// A loop that goes on from there ends where it does not come again.
			const endsLoop = goesOn && !this.#comesAgain();
			let isRepeatable = goesOn || this.#comesAgain();
			const round = { tryNumber, goesOn, endsLoop, within: place.within, item: place.item };
			for (const [index, step] of steps.entries()) {
				this.#job.signal.throwIfAborted();
				const here = { ...place, columns, position: `${place.position}/${index}` };
				if (isForLater(step)) {
					columns = { ...columns, ...(await this.#reader.firstRow(step, here)) };
					kept = { columns, place: firstRowPlace(steps, place, index + 1) };
					continue;
				}
				const behind = [...steps.slice(index + 1), ...(goesOn ? steps : [])];
				await this.#runStep(step, here, { ...round, behind, isRepeatable });
				isRepeatable ||= step.type === 'navigate';
			}
			await end?.();
		}, about);
		if (!kept?.place || this.#rows > rows || this.#failures === failures) return;
		// Around a loop that may be split, each job would give this row again.
		if (steps === this.#job.task.steps && splittableLoop(this.#job.task)) return;
		this.#rows += 1;
		await this.#keep([kept.columns], this.#reader.positions(kept.place));
	}

	async #runStep(step: Step, place: Place, round: StepInRound): Promise<void> {
		switch (step.type) {
			case 'navigate':
				return this.#actions.open(await linkOfStep(step, place, this.#page), step.id);
			case 'inputText': {
				const { config } = step;
				const text = 'text' in config ? config.text : await textOfItem(place, this.#page);
				const type = () => this.#actions.type(config.selector, text, config);
				return void (await this.#answers.during(step, round, type));
			}
			case 'click': {
				const selector = 'selector' in step.config ? step.config.selector : undefined;
				const click = () => this.#actions.click(selector, step.config.waitFor);
				const switched = await this.#answers.during(step, round, click);
				return this.#switches.note(step, switched, this.#actions.address);
			}
			case 'wait':
				return this.#actions.wait(step.config);
			case 'loop':
				return this.#loop(step, place, round.behind);
			case 'extractData':
				for await (const { read, rows, positions } of this.#reader.placed(step, place)) {
					this.#rows += read;
					await this.#keep(rows, positions);
				}
				return;
		}
	}

	async #loop(step: LoopStep, place: Place, behind: Step[]): Promise<void> {
		const { config } = step;
		this.#switches.noteTexts(step, this.#actions.address);
		await this.#answers.beginLoop(config, behind);
		switch (config.loopType) {
			case 'count':
				return this.#repeat(config, { place, behind, goOn: () => Promise.resolve(true) });
			case 'page':
				return this.#loopPages(config, place, behind);
			case 'scroll':
				return scrollThrough(config, place, {
					page: this.#page,
					log: this.#job.log,
					behind,
					isTurned: this.#trail?.isHere === true,
					reader: this.#reader,
					keep: this.#keep,
					read: () => this.#rows,
					repeat: (inside, goOn) => this.#repeat(config, { place: inside, behind, goOn }),
					attempt: (work, position) =>
						this.#attempt(work, { what: inItems('the end of the list', place), position }),
				});
			case 'list':
				return config.listType === 'elements'
					? this.#loopElements(step, config, place)
					: this.#loopList(step, config, place);
		}
	}

	async #loopList(step: LoopStep, config: UrlLoop | TextLoop, place: Place): Promise<void> {
		const isSplit = step === splittableLoop(this.#job.task);
		const { first, end } = isSplit ? this.#job.part : { first: 0, end: Infinity };
		const opensItsPage = config.steps[0]?.type === 'navigate';
		const { back, keep } = this.#bookmark(needsBeginning(this.#page, config.steps[0]), config);
		const partner = () => (this.#partner ??= new Agent(this.#job));
		const pages = new PagesAhead<Agent>(this, partner, (agent) => agent.#actions, this.#job.task);
		const part = [...itemsOf(config).entries()].slice(first, end);
		for (const [offset, [index, value]] of part.entries()) {
			const agent = pages.begin(value, part[offset + 1]?.[1]);
			const inside = { ...insideItem(place, index, value), item: { value } };
			const underWay = isSplit ? this.#job.sentByJob.begin(index) : undefined;
			const about = { what: inside.within, position: inside.position, underWay };
			const begin = () => (opensItsPage ? inside : back().then(() => inside));
			await agent.#round(config.steps, about, begin, keep);
			if (isSplit) agent.#pageFinds.end();
			if (isSplit) await this.#job.advance(index + 1);
			if (offset + 1 < part.length) await pages.end();
		}
	}

	async #loopElements(step: LoopStep, config: ElementLoop, place: Place): Promise<void> {
		const way = this.#bookmark(needsList(this.#page, config.selector), config);
		const here = this.#page.bookmark();
		const { selector } = config;
		const how = { mayScroll: !place.scrolling, areFollowed: way.isForLater };
		const elements = await this.#page.elements(selector, how);
		await this.#pageFinds.noteElements({ step: step.id, selector }, elements, place);
		const page = this.#page.address();
		const wantsItem = fieldsOf(config.steps).some(({ source }) => source === 'loopItem');
		const opensItsPage = config.steps[0]?.type === 'navigate' && !wantsItem;
		for (const [index, element] of elements.entries()) {
			const mark = opensItsPage ? element.mark : undefined;
			const inside = insideItem(place, index, `element ${index + 1} of ${selector}`);
			const { within: what, position } = inside;
			const begin = async (): Promise<Place> => {
				// Where it leads to is opened without the page that it is on.
				if (mark?.address === undefined) await way.back();
				// A page that is gone back to, and would not come again, stays open behind that of its element.
				if (mark?.address === undefined || here.isOpen()) this.#page.enter(element);
				// Not to be had any more once another page is open.
				const text = wantsItem ? await this.#page.enteredText() : '';
				return { ...inside, item: { element: true, text, mark, page, position } };
			};
			await this.#round(config.steps, { what, position }, begin, way.keep);
		}
		if (!isLast(step, this.#job.task.steps)) await way.end();
	}

	/**
	 * Goes from page to page by a "next" link, until there is none that a click can follow, it says that
	 * it is another link, or it leads to a page seen before.
	 */
	async #loopPages(config: PageLoop, place: Place, behind: Step[]): Promise<void> {
		const [around, keep] = [this.#trail, this.#keep];
		const next = this.#nexts.get(config) ?? nextOf(this.#job.task);
		if (!next.mayBeHidden) this.#nexts.set(config, next);
		const turn = () => this.#actions.click(config.selector);
		const trail = new PageTrail(this.#page, wayOf(config, { behind, next, turn }), around);
		const held = new HeldRows(keep);
		if (this.#actions.address !== '') await trail.begin();
		[this.#trail, this.#keep, this.#page.isRestored] = [trail, held.store, true];
		const goOn = async (back: () => Promise<void>, tryNumber: number) => {
			await back();
			const end = await trail.goOn({ mayAskAgain: tryNumber < this.#job.visits.tries });
			const said = { url: this.#actions.address, reason: trail.doubt };
			if (said.reason) this.#job.log.warn(said, 'page may be missing');
			if (!end && trail.hasGrown) this.#growingLists.note(config, this.#actions.address);
			if (end?.leadsBack) held.drop();
			else if (!end && trail.isDoubtful) held.hold();
			else await held.release();
			if (!end) return true;
			this.#tellEnd(end);
			return false;
		};
		try {
			await this.#repeat(config, { place, behind, goOn });
			await held.release();
		} finally {
			[this.#trail, this.#keep, this.#page.isRestored] = [around, keep, around !== undefined];
		}
	}

	/** Whether a way back brings the page as it is now, and not as it was before clicks. */
	#comesAgain(): boolean {
		return this.#job.task.page === 'http' || !!this.#trail || this.#page.bookmark().isAsOpened;
	}

	/** As `wayBack` from here. */
	#bookmark(isThere?: IsThere, loop?: LoopStep['config']): WayBack {
		return wayBack(this.#page, this.#trail, this.#comesAgain() ? isThere : undefined, loop);
	}

	/**
	 * Runs the steps of a loop as often as it says; `goOn` brings up what the next round works on, if there is any.
	 * A loop without a number ends where round after round brings nothing new.
	 */
	async #repeat(config: RoundLoop, { place, behind, goOn }: Repeated): Promise<void> {
		const times = timesOf(config);
		const most = Math.min(times, maxLoopTimes);
		const endless =
			times === Infinity ? new EndlessLoop(this.#page, config.steps, behind) : undefined;
		this.#restarts.begin(config, endless);
		for (let round = 0; round < most; round += 1) {
			const [finds, { back }, here] = [this.#finds, this.#bookmark(), this.#page.bookmark()];
			const comesAgain = this.#comesAgain();
			const position = `${place.position}.${round}`;
			const inside = place.scrolling ? place : { ...place, position };
			const goesOn = config.loopType === 'count';
			const goBack = () => {
				this.#restarts.check(config, round, { here, comesAgain, endless });
				return back();
			};
			let [isLost, more] = [false, false];
			const about = { what: inItems(`round ${round + 1}`, place), position, goesOn };
			await this.#round(config.steps, about, async (tryNumber) => {
				isLost = goesOn && !comesAgain && !here.isOpen();
				if (isLost) throw lostPage(this.#page.address());
				if (tryNumber > 1) await goBack();
				return inside;
			});
			if (isLost) return;
			if (round + 1 === most) {
				if (config.loopType !== 'page') return;
				const { mayLack } = this.#trail ?? {};
				const reason = `the limit of ${most} is reached${mayLack ?? ''}`;
				const [url, isExpected] = [this.#actions.address, mayLack === undefined];
				return this.#tellEnd({ url, reason, isExpected });
			}
			const what = inItems(`going on to round ${round + 2}`, place);
			const next = { what, position: `${position} next` };
			await this.#attempt(async (tryNumber) => {
				if (tryNumber > 1 || (endless?.isOfList && config.loopType === 'page')) await goBack();
				if (tryNumber === 1) await endless?.note(this.#finds > finds);
				more = !endless?.isOver && (await goOn(back, tryNumber));
			}, next);
			if (more) continue;
			endless?.tell(this.#job.log, { url: this.#actions.address, rounds: round + 1 });
			return;
		}
	}

	#tellEnd({ isExpected, url, reason, isNeverFound }: End): void {
		const said = { url, reason, ...(isNeverFound && { isNeverFound }) };
		this.#job.log[isExpected ? 'info' : 'warn'](said, 'loop by page ended');
	}

	async #attempt(work: (tryNumber: number) => Promise<void>, about: About): Promise<void> {
		// Loops whose steps ask for nothing would let nobody else have a turn.
		await nextTurn();
		const failure = await attempt(work, { ...this.#job, ...about, answers: this.#answers });
		if (!failure) return;
		const [{ url = this.#actions.address, ...rest }, { position, what }] = [failure, about];
		this.#failures += 1;
		await this.#job.pageFailed({ position, what, address: url, ...rest });
	}
}
