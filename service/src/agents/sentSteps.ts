import type { Page } from '../pages/page.ts';
import type { Sent } from '../pages/requestSettings.ts';
import type { ClickStep, InputTextStep } from '../tasks/task.ts';
import { shortened } from '../text/shortened.ts';
import type { Assignment } from './assignment.ts';
import type { SentByStep } from './sentByJob.ts';
import type { StepInRound } from './stepAnswers.ts';
import { clickedBy } from './switches.ts';

/** A step that may send something. */
type Sending = ClickStep | InputTextStep;

/** Of what is sent aside, or not, in one step, so much is kept in mind; and so many places are said. */
const maxSent = 100;
const maxPlaces = 10;
const maxPlace = 300;

/** What the steps of an agent send, and what they send again. */
export class SentSteps {
	readonly #page: Page;
	readonly #job: Pick<Assignment, 'log' | 'sentByJob'>;
	/** What each step has sent last that its site may have counted, and how often any had sent something by then. */
	readonly #last = new Map<Sending, SentByStep & { count: number }>();
	/** Steps of what is tried again that send again what they have sent: that is told once a try. */
	readonly #again = new Set<Sending>();
	/** How often a step has sent anything so far. */
	count = 0;

	constructor(page: Page, job: Pick<Assignment, 'log' | 'sentByJob'>) {
		[this.#page, this.#job] = [page, job];
	}

	/** What begins now had begun before, when steps had sent something `count` times: whatever they sent since is sent again. */
	triedAgain(count: number): void {
		for (const [step, last] of this.#last) if (last.count > count) this.#again.add(step);
	}

	/** A step is about to be done: says so where that sends again what it has sent before. `within`: what it is done on. */
	begin(step: Sending, { within }: Pick<StepInRound, 'within'>): void {
		const last = this.#last.get(step);
		const before = this.#job.sentByJob.takeUntold(step.id);
		if (this.#again.delete(step) && last) {
			this.#tell(last, 'its page is tried again', { countsTries: true, within });
		} else if (before) {
			const how = { countsTries: before.isOfItem, within };
			this.#tell(before, 'who had sent it has not come to its end', how);
		}
	}

	/** Does what it does, and counts what that sends to its own site. */
	async during<Result>(step: Sending, act: () => Promise<Result>): Promise<Result> {
		try {
			return await act();
		} finally {
			const asked = this.#page.asked?.();
			if (asked?.sent !== undefined) {
				const { sent, isFormSent } = asked;
				this.count += 1;
				this.#last.set(step, { what: `${said(step)} ${sent}`, isFormSent, count: this.count });
			}
		}
	}

	/** Has all that is sent by a step, to anyone, while `work` goes on known to whoever goes on with its job. */
	async noted<Result>(step: Sending, work: () => Promise<Result>): Promise<Result> {
		const { sentByJob } = this.#job;
		const before = sentByJob.sentBy(step.id);
		const all: Sent[] = [];
		const note = async (sent: Sent) => {
			if (all.filter(({ isAside }) => isAside === sent.isAside).length < maxSent) all.push(sent);
			const now = sentBy(step, all, before);
			if (now) await sentByJob.note(step.id, now);
		};
		try {
			return await sentByJob.during(work, note);
		} finally {
			const now = sentBy(step, all, before);
			await (now ? sentByJob.note(step.id, now) : sentByJob.forget(step.id, before));
		}
	}

	/** Forms that ask for a list are sent by `POST`, too: nothing of theirs is odd. */
	#tell(
		{ what, isFormSent }: SentByStep,
		why: string,
		{ countsTries, within }: { countsTries: boolean; within: string | undefined },
	): void {
		const once = countsTries ? '; with "tries": 1 it is sent once' : '';
		const reason = `${what}, and does so again, since ${why}: a site that counts what it is sent, as a cart does, has it twice${once}`;
		const about = { ...(within !== undefined && { what: within }), reason };
		if (isFormSent) this.#job.log.warn(about, 'form sent again');
		else this.#job.log.warn({ url: this.#page.address(), ...about }, 'step not answered');
	}
}

/** What a step has sent of which nobody has refused all, with what it had sent `before`; undefined: nothing more. */
function sentBy(
	step: Sending,
	all: Sent[],
	before: SentByStep | undefined,
): SentByStep | undefined {
	const sent = all.filter(({ isRefused }) => !isRefused());
	const counted = sent.find(({ isAside }) => !isAside);
	const had = before && !before.aside ? before : undefined;
	if (counted) return had ?? { what: `${said(step)} ${counted.what}`, isFormSent: counted.isForm };
	if (had || sent.length === 0) return undefined;
	const places = new Set([
		...(before?.aside ?? []),
		...sent.map(({ what }) => shortened(what, maxPlace)),
	]);
	const aside = [...places].slice(0, maxPlaces);
	const what = `${said(step)} ${aside.join(', ')}, perhaps only a count of visits`;
	return { what, isFormSent: false, aside };
}

function said({ type, config }: Sending): string {
	const step =
		type === 'click' ? `a click on ${clickedBy(config)}` : `a text in ${config.selector}`;
	return `${step} had sent`;
}
