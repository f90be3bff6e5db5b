import type { FastifyBaseLogger } from 'fastify';
import type { Switched } from '../pages/page.ts';
import { isOfPage } from '../pages/scopedSelector.ts';
import type { ClickStep, LoopStep } from '../tasks/task.ts';

/** What a click is on, as messages say it. */
export function clickedBy(config: ClickStep['config']): string {
	return 'selector' in config ? config.selector : 'the loop item';
}

/** What the clicks of an agent have switched on or off, and what its texts are for. */
export class Switches {
	readonly #log: FastifyBaseLogger;
	/** What each step has switched last. */
	readonly #switched = new Map<ClickStep, boolean>();
	/** Those of which was told that it went both ways, or that their texts go. */
	readonly #told = new Set<ClickStep | LoopStep>();

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/** A page that stays from round to round is as its last click has left it, whatever the next one was meant for. */
	note(step: ClickStep, switched: Switched, url: string): void {
		if (switched === undefined) return;
		const before = this.#switched.get(step);
		this.#switched.set(step, switched);
		if (before === undefined || before === switched || this.#told.has(step)) return;
		this.#told.add(step);
		const what = clickedBy(step.config);
		const [now, then] = switched ? ['on', 'off'] : ['off', 'on'];
		const reason = `a click on ${what} has switched ${now}, where another one of this step had switched ${then}; to tick a box whatever it was, use inputText with the text "true"; of what opens, select what is closed, as by [aria-expanded=false]`;
		this.#log.warn({ url, reason }, 'click switched back');
	}

	/** Says so where rounds end with a text that the next one types over. */
	noteTexts(loop: LoopStep, url: string): void {
		const { config } = loop;
		const last = config.steps.findLast(({ type }) => type !== 'wait');
		if (config.loopType !== 'list' || last?.type !== 'inputText' || last.config.submit) return;
		const { selector } = last.config;
		const isOfItem = config.listType === 'elements' && !isOfPage(selector);
		if (isOfItem || this.#told.has(loop)) return;
		this.#told.add(loop);
		const reason = `a text in ${selector} is the last that a round of a list loop does: the next one types over it, or opens another page, so that only the last one is there behind the loop; have each round use its own, by a click or by "submit", or type it outside of a loop`;
		this.#log.warn({ url, reason }, 'step not answered');
	}
}
