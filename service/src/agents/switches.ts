import type { FastifyBaseLogger } from 'fastify';
import type { Switched } from '../pages/page.ts';
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

	/** Says so where rounds end with a text: that goes as the next one begins, and behind the last. */
	noteTexts(loop: LoopStep, url: string): void {
		const { config } = loop;
		const last = config.steps.findLast(({ type }) => type !== 'wait');
		if (config.loopType !== 'list' || last?.type !== 'inputText' || last.config.submit) return;
		if (this.#told.has(loop)) return;
		this.#told.add(loop);
		const reason = `a text in ${last.config.selector} is the last that a round of a list loop does: it goes when the next one begins, and is not there behind the loop; type it by steps outside of a loop, or tick boxes by a loop of clicks`;
		this.#log.warn({ url, reason }, 'step not answered');
	}
}
