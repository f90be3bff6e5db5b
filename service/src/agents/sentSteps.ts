import type { AskedOnStep, Page } from '../pages/page.ts';
import type { ClickStep, InputTextStep } from '../tasks/task.ts';
import type { Assignment } from './assignment.ts';
import type { SentByStep } from './sentByJob.ts';
import { clickedBy } from './switches.ts';

/** A step that may send something. */
type Sending = ClickStep | InputTextStep;

/** What the steps of an agent send, and what they send again. */
export class SentSteps {
	readonly #page: Page;
	readonly #job: Pick<Assignment, 'log' | 'sentByJob'>;
	/** What each step has sent when it was done last, and its site may have counted. */
	readonly #last = new WeakMap<Sending, SentByStep>();
	/** How often a step has sent anything so far. */
	count = 0;

	constructor(page: Page, job: Pick<Assignment, 'log' | 'sentByJob'>) {
		[this.#page, this.#job] = [page, job];
	}

	/** A step is about to be done: says so where that sends again what it has sent before. */
	begin(step: Sending, tryNumber: number): void {
		const last = this.#last.get(step);
		this.#last.delete(step);
		const before = this.#job.sentByJob.takeUntold(step.id);
		if (last && tryNumber > 1) this.#tell(last, 'its page is tried again', true);
		else if (before) this.#tell(before, 'who had sent it has not come to its end', before.isOfItem);
	}

	/** Does what it does, and notes what that sends. */
	async during<Result>(step: Sending, act: () => Promise<Result>): Promise<Result> {
		const { sentByJob } = this.#job;
		const wasSent = sentByJob.has(step.id);
		const note = async () => {
			const asked = this.#page.asked?.();
			// A page that is closed by then does not know what that was.
			const now = asked
				? sentBy(step, asked)
				: { what: `${said(step)} something`, isFormSent: true };
			if (now) await sentByJob.note(step.id, now);
		};
		try {
			return await sentByJob.during(act, note);
		} finally {
			const asked = this.#page.asked?.();
			const now = sentBy(step, asked);
			if (now) {
				this.#last.set(step, now);
				this.count += 1;
				await sentByJob.note(step.id, now);
			} else if (asked && !wasSent && sentByJob.has(step.id)) await sentByJob.forget(step.id);
		}
	}

	/** Forms that ask for a list are sent by `POST`, too: nothing of theirs is odd. */
	#tell({ what, isFormSent }: SentByStep, why: string, countsTries: boolean): void {
		const once = countsTries ? '; with "tries": 1 it is sent once' : '';
		const reason = `${what}, and does so again, since ${why}: a site that counts what it is sent, as a cart does, has it twice${once}`;
		if (isFormSent) this.#job.log.warn({ reason }, 'form sent again');
		else this.#job.log.warn({ url: this.#page.address(), reason }, 'step not answered');
	}
}

function sentBy(step: Sending, asked: AskedOnStep | undefined): SentByStep | undefined {
	if (asked?.sent === undefined) return undefined;
	return { what: `${said(step)} ${asked.sent}`, isFormSent: asked.isFormSent };
}

function said({ type, config }: Sending): string {
	const step =
		type === 'click' ? `a click on ${clickedBy(config)}` : `a text in ${config.selector}`;
	return `${step} had sent`;
}
