import type { FastifyBaseLogger } from 'fastify';
import { PageError, type LookAtPage, type Page, type Reading } from '../pages/page.ts';
import {
	addsRows,
	bringsMore,
	firstOfMore,
	hasSameValues,
	isRead,
	lacksAColumn,
	leavesNone,
	type Fingerprint,
} from '../pages/seenPages.ts';
import { isOfPage } from '../pages/scopedSelector.ts';
import type { ClickStep, InputTextStep, LoopStep, Step } from '../tasks/task.ts';
import type { Assignment } from './assignment.ts';
import { hiddenBeside } from './doubts.ts';
import { isSameAddress } from '../text/withoutFragment.ts';
import { pauseAfter } from './hosts.ts';
import { readingsOf, readsRows } from './pageReadings.ts';
import type { Place } from './place.ts';
import { SentSteps } from './sentSteps.ts';
import { clickedBy } from './switches.ts';

/** A step that scripts of the page may ask their site for data on. */
type Asking = ClickStep | InputTextStep;

/**
 * Milliseconds for what is read behind a step to change by it: scripts wait for the end of a word, show a spinner
 * for a while although the answer has come, or let an old list leave before the new one comes.
 */
const patience = 2_000;

/** Where in a round a step stands. */
export interface StepInRound {
	/** The steps that follow, up to the end of the round, or of the next one where that goes on from there. */
	behind: Step[];
	tryNumber: number;
	/** Whether another try of the round finds the page as this one did: what clicks have made of one does not come again. */
	isRepeatable: boolean;
	/** Whether it is a round of a loop by count: its clicks may show one part of what stands in the page after the other. */
	goesOn: boolean;
	/** Whether another try ends the loop, since it goes on from what clicks have made of its page. */
	endsLoop: boolean;
	/** The entry of a list that it is done on, and those around it. */
	within: string | undefined;
	/** What that is: in an element, selectors look inside of that. */
	item: Place['item'];
}

/** How the page was before a step, by what is read behind it. */
interface Beforehand {
	readings: Reading[];
	before: Fingerprint | undefined;
	from: string;
	/** How it was when the same step was done in the round before. */
	earlier: Fingerprint | undefined;
	/** How often it was done before in vain. */
	times?: number;
}

/** Times that a step is done again in vain, on the page as it is then: on a site where that never helps, it is not tried for ever. */
const maxVain = 3;

/**
 * What steps have asked the open page for, and what has not come of it. Such a step is tried once more, by itself where the
 * page does not come again. Then it is a failure where the site has refused its own data and what is read behind the step is as it was, or the page has opened
 * itself anew: that would be read for what was asked for. Where that has changed, or the site only has no more to say, the log says so.
 */
export class StepAnswers {
	readonly #page: Page;
	/** Whether its scripts run, which may ask for data. */
	readonly #isScripted: boolean;
	/** How often a page is tried at most. */
	readonly #tries: number;
	readonly #pause: (milliseconds: number) => Promise<void>;
	readonly #log: FastifyBaseLogger;
	/** The field in which the last step has left a text. */
	#typed: string | undefined;
	/** Steps that were tried once more. */
	readonly #retried = new WeakSet<Step>();
	/** What was read behind each step when that was done last. */
	readonly #earlier = new WeakMap<Step, Fingerprint>();
	/** What was read behind each step before that was done for the first time. */
	readonly #first = new WeakMap<Step, Fingerprint>();
	/** Steps of loops that have each part made anew. */
	readonly #comesAnew = new WeakSet<object>();
	/** Clicks of loops of which it was told that they leave rows beside those that they bring. */
	readonly #addsRows = new WeakSet<object>();
	/** Clicks that were done before: what these have brought may still be there. */
	readonly #clicked = new WeakSet<Step>();
	readonly #sent: SentSteps;
	/** How often in a row one was done again on the page as it was then, in vain. */
	#vain = 0;
	/** Whether it was told that choices add up. */
	#hasChoices = false;

	constructor(page: Page, { task, visits, log, sentByJob }: Assignment) {
		this.#page = page;
		this.#sent = new SentSteps(page, { log, sentByJob });
		this.#isScripted = task.page === 'browser';
		this.#tries = visits.tries;
		this.#pause = (milliseconds) => visits.pause(milliseconds);
		this.#log = log;
	}

	/** How often a step has sent anything so far. */
	get sent(): number {
		return this.#sent.count;
	}

	/** As for `SentSteps`. */
	triedAgain = (sent: number): void => this.#sent.triedAgain(sent);

	/**
	 * Before a loop: one that reads no rows on the open page changes what the steps `behind` it read there, and the clicks of
	 * one by count what its own do.
	 */
	async beginLoop({ loopType, steps }: LoopStep['config'], behind: Step[]): Promise<void> {
		if (steps[0]?.type === 'navigate') return;
		if (!readsRows(steps)) return this.#watch(behind);
		// What its clicks show next is hidden so far.
		const isByClicks = loopType === 'count' && steps.some(({ type }) => type === 'click');
		if (isByClicks) await this.#watch(steps, { parts: 'there' });
	}

	/** Does what a step does, before the steps `behind` it. Throws what `act` throws, or a PageError. */
	async during<Result>(
		step: Asking,
		round: StepInRound,
		act: () => Promise<Result>,
	): Promise<Result> {
		const { behind } = round;
		const readings = readingsOf(behind);
		const later = readingsLater(behind);
		const isWatched = this.#isScripted && readings.length > 0;
		const isSame = JSON.stringify(later) === JSON.stringify(readings);
		if (!isSame) await this.#watch(behind);
		const how = { isBeforeStep: isSame };
		const before = isWatched ? await this.#page.fingerprint(readings, how) : undefined;
		this.#sent.begin(step, round);
		const counted = () => this.#sent.during(step, act);
		const [from, earlier] = [this.#page.address(), this.#earlier.get(step)];
		const beforehand = { readings, before, from, earlier };
		return this.#sent.noted(step, () => this.#answered(step, round, counted, beforehand));
	}

	/** The same once the page was looked at `before`, when its address was `from`. */
	async #answered<Result>(
		step: Asking,
		round: StepInRound,
		act: () => Promise<Result>,
		{ readings, before, from, earlier, times = 0 }: Beforehand,
	): Promise<Result> {
		const { tryNumber, isRepeatable, endsLoop } = round;
		const document = this.#page.documentID?.();
		const result = await act();
		const isHere =
			this.#page.documentID?.() === document && isSameAddress(this.#page.address(), from);
		const parts = isHere ? this.#partsOf(step, round) : undefined;
		const look = (how?: LookAtPage) => this.#page.fingerprint(readings, { ...how, parts });
		if (readings.length === 0 && parts) await this.#watch(round.behind, { parts });
		const isMissing = (await this.#page.missing()) !== undefined;
		let after = before && (await look(isMissing ? {} : { before, patience, earlier }));
		if (after?.partsHaveGone && !this.#comesAnew.has(step.config)) {
			this.#comesAnew.add(step.config);
			this.#warn(hiddenBeside(this.#page.address()));
		}
		const isUnheard = after !== undefined && before !== undefined && hasSameValues(after, before);
		const mayLeave = after && isTyped(step) && (isUnheard || this.#isOneOfSeveral(step));
		if (mayLeave && !(await this.#page.missing({ isInVain: isUnheard }))) {
			await this.#page.leaveField(step.config.selector).catch(unlessGone);
			after = await look({ before: after, patience });
		}
		this.#typed = isTyped(step) ? step.config.selector : undefined;
		if (after) this.#earlier.set(step, after);
		const isAsBefore = before !== undefined && after !== undefined && hasSameValues(after, before);
		const isEmpty = after !== undefined && !isRead(after.read);
		const lacks = after !== undefined && lacksAColumn(after, [before, earlier]);
		const missing = await this.#page.missing({ isInVain: isAsBefore || isEmpty || lacks });
		const wasClicked = this.#clicked.has(step);
		if (step.type === 'click') this.#clicked.add(step);
		const first = this.#first.get(step);
		if (before && !first) this.#first.set(step, before);
		const addsUp =
			after && earlier && (bringsMore(earlier, after) || leavesNone({ first, earlier, after }));
		if (addsUp) await this.#noteChoices(step);
		if (!missing) {
			if (times > 0) this.#vain = 0;
			if (before && after) this.#noteMore(step, round, readings, { before, after, earlier });
			// A click that has switched a box, or changed the address, has done something, which styles alone may show.
			const isThere = isSameAddress(this.#page.address(), from);
			if (wasClicked && isAsBefore && isThere && result !== true)
				await this.#noteUnheard(step, before);
			if (step.type === 'inputText' && isAsBefore && isThere && isRead(before.read))
				await this.#noteAsBefore(step, before, result === true);
			return result;
		}
		const { isOpenedAnew } = missing;
		// What says of a search that it failed may mean that nothing was found.
		const isRefused = missing.isRefused || (missing.isSaid && !isEmpty);
		if (!isRefused && !isOpenedAnew && !isAsBefore && !isEmpty) {
			// What stands there then may be a form to log in, or say that the entry is gone.
			if (missing.isBarred || (missing.isGone && lacks)) this.#warn(missing.reason);
			return result;
		}
		// Then what was refused may only count visitors.
		const showsAll = after === undefined || (!isAsBefore && !lacksAColumn(after, []));
		// A site may take what has been chosen, and open its page anew with that: another click might undo it.
		const isLast =
			(isOpenedAnew && !isRefused) ||
			!isRepeatable ||
			(endsLoop && showsAll) ||
			tryNumber >= this.#tries ||
			this.#retried.has(step);
		this.#retried.add(step);
		// On a page that stays, that is read of the round before then, whatever the click has done.
		const mayShow = !isRepeatable && earlier && isRead(earlier.read);
		const showsEarlier = mayShow && after && hasSameValues(after, earlier);
		const isUndone = isOpenedAnew || (isAsBefore && (showsEarlier || !(await this.#isGone(step))));
		const isFailure = isRefused && !missing.isElsewhere && isUndone;
		// A page as clicks have made it does not come again, but the step can be done once more.
		const mayDoAgain =
			!isRepeatable && missing.isRefused && !isOpenedAnew && !showsAll && this.#tries > 1;
		// What has opened an entry closes it the next time, and asks for its data once it is opened again.
		const hasClosed = times === 1 && this.#page.asked?.()?.hasAsked === false;
		if (mayDoAgain && missing.again && (times === 0 || hasClosed) && this.#vain < maxVain) {
			await this.#pause(pauseAfter(1));
			// Scripts may send something a moment later.
			const now = await this.#page.missing();
			if (now?.again) {
				now.again();
				// Where that cannot be, it lacks what it did.
				const again = () => act().catch((error: unknown) => unlessPage(error, result));
				const beforehand = { readings, before, from, earlier, times: times + 1 };
				return this.#answered(step, round, again, beforehand);
			}
		}
		if (times > 0) this.#vain += 1;
		if (!isLast || isFailure) throw missing.failure(isRepeatable);
		this.#warn(missing.reason);
		return result;
	}

	#warn(reason: string): void {
		this.#log.warn({ url: this.#page.address(), reason }, 'step not answered');
	}

	/** Whether a text stands in another field, which was left for this one: what that has changed is no answer to this. */
	#isOneOfSeveral({ config }: InputTextStep): boolean {
		return this.#typed !== undefined && this.#typed !== config.selector;
	}

	/** Of what steps `behind` read on the open page, whatever is done there until then, what a step hides is gone. */
	async #watch(behind: Step[], how: LookAtPage = { isBeforeStep: true }): Promise<void> {
		const later = readingsLater(behind);
		if (!this.#isScripted || later.length === 0) return;
		await this.#page.fingerprint(later, how);
	}

	/** What a step has asked for comes; else what the steps of a loop show of a list stands in the page whole. */
	#partsOf({ config }: Asking, { goesOn }: StepInRound): LookAtPage['parts'] {
		if (this.#page.asked?.()?.hasGot) return 'come';
		if (!('useLoopItem' in config) && !goesOn) return undefined;
		return this.#comesAnew.has(config) ? 'come' : 'there';
	}

	/** Says so where a click has changed nothing of the page: what is read behind it is none of its own. */
	async #noteUnheard({ config }: Asking, before: Fingerprint): Promise<void> {
		const { content } = await this.#page.fingerprint([]);
		if (content !== before.content) return;
		const what = isRead(before.read) ? 'was there before' : 'is not there';
		this.#warn(
			`a click on ${clickedBy(config)} has changed nothing on the page: what is read behind it ${what}`,
		);
	}

	/**
	 * Says so where a text has changed nothing that is read: a search without hits may leave the list of the one before, and
	 * a filter may wait for a button. Not where the text was in its field already (not `isNew`), as a choice may be.
	 */
	async #noteAsBefore(
		{ config }: InputTextStep,
		before: Fingerprint,
		isNew: boolean,
	): Promise<void> {
		const { content } = await this.#page.fingerprint([]);
		if (content !== before.content) {
			return this.#warn(
				`a text in ${config.selector} has changed the page, but nothing that is read: that was there before, and where nothing was found, it is none of what was asked for`,
			);
		}
		if (this.#page.asked?.()?.hasAsked || !isNew || config.submit) return;
		this.#warn(
			`a text in ${config.selector} has changed nothing on the page: what is read behind it was there before; where it counts only once it is sent, say so with submit, or by a click`,
		);
	}

	/**
	 * Says so where the page has more of what is read, and the first of that, which counts, is of an entry before; or where all
	 * rows that were read of the round before are rows of this one, too.
	 */
	#noteMore(
		{ config }: Asking,
		{ item }: StepInRound,
		readings: Reading[],
		{
			before,
			after,
			earlier,
		}: Pick<Beforehand, 'earlier'> & Record<'before' | 'after', Fingerprint>,
	): void {
		const [index = -1, column = -1] = firstOfMore(after, before) ?? [];
		const selector = readings[index]?.fields[column]?.selector;
		if (selector !== undefined) {
			this.#warn(
				`a click on ${clickedBy(config)} has brought more of what ${selector} finds: what is read is the first of it, as before`,
			);
		}
		const isInEntry = item !== undefined && 'element' in item;
		const isOfEntry = 'selector' in config ? isInEntry && !isOfPage(config.selector) : true;
		if (!isOfEntry || !earlier || this.#hasChoices || this.#addsRows.has(config)) return;
		const kept = readings.find(
			({ selector: rows }, place) =>
				rows !== undefined &&
				isOfPage(rows) &&
				[before, earlier].every(({ read }) => addsRows(after.read[place], read[place])),
		);
		if (!kept) return;
		this.#addsRows.add(config);
		this.#warn(
			`a click on ${clickedBy(config)} leaves what ${kept.selector} found in the round before: that is read once more, beside what has come`,
		);
	}

	/** Says so where the choices of earlier rounds stay, and what is read behind this one is theirs, too. */
	async #noteChoices({ config }: Asking): Promise<void> {
		if (this.#hasChoices || !(await this.#page.choicesAddUp?.())) return;
		this.#hasChoices = true;
		const reason = `a click on ${clickedBy(config)} has left chosen what an earlier round has clicked: what is read is of these together; where another click takes a choice back, let that be the last step of the round`;
		this.#log.warn({ url: this.#page.address(), reason }, 'choices add up');
	}

	/** Whether what was clicked has gone by that, as what asks for cookies does: the click has done something. */
	async #isGone({ type, config }: Asking): Promise<boolean> {
		if (type !== 'click' || !('selector' in config)) return false;
		const presence = await this.#page.presence(config.selector);
		return presence === 'missing' || presence === 'hidden';
	}
}

function readingsLater(behind: Step[]): Reading[] {
	return readingsOf(behind.filter(isNoAction));
}

/** Whether the text stands in its field: scripts may wait until that is left, which would close what others show. */
function isTyped(step: Asking): step is InputTextStep {
	return step.type === 'inputText' && !step.config.submit;
}

/** A field that is not there any more is left. */
function unlessGone(error: unknown): void {
	if (!(error instanceof PageError) || error.outage) throw error;
}

function isNoAction({ type }: Step): boolean {
	return type !== 'click' && type !== 'inputText';
}

/** Throws what is no fault of the page. */
function unlessPage<Result>(error: unknown, otherwise: Result): Result {
	if (error instanceof PageError) return otherwise;
	throw error;
}
