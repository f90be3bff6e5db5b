import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import type { Sent } from '../pages/requestSettings.ts';
import type { Job } from '../store/jobStore.ts';
import { shortened } from '../text/shortened.ts';

const sentByStep = z.object({
	/** For people: `a click on .order had sent POST https://…`. */
	what: z.string(),
	isFormSent: z.boolean(),
	/** Where all of it was sent that may only have counted a visit; absent: some may be more. */
	aside: z.array(z.string()).optional(),
});
/** By the ids of steps. */
const steps = z.array(z.tuple([z.string(), sentByStep]));

/** What is kept of a job, as JSON: of an item of the list that its batch was split by, and of what belongs to none. */
const keptOfJob = z.object({
	steps,
	/** `tries`: how many of it there were. */
	item: z.object({ index: z.number(), tries: z.number(), steps }).optional(),
});

/** What a step has sent that somebody may have counted. */
export type SentByStep = z.infer<typeof sentByStep>;

/** An item that is worked on. */
export interface ItemUnderWay {
	/**
	 * Tries of it that are used up, with the one under way: another process may have made some, and have sent something. What
	 * may only have counted visits uses up none: nearly any page tells somebody of those.
	 */
	tries: number;
	/** What was sent so, for people; absent: nothing. */
	readonly hadSent?: string;
}

/** Something that had been sent when nobody went on with a job, and is sent once more. */
interface Again extends SentByStep {
	/** Whether its item counts tries. */
	isOfItem: boolean;
}

const maxSaid = 2_000;

/**
 * What the steps of a job have sent, such as an order, known to whoever goes on with it. It is written before it goes out,
 * where its page can wait for that, else as it does: of each step once for each try of an item, or else for the job.
 */
export class SentByJob {
	readonly #write: (firstItem: number, sent: string) => Promise<void>;
	/** By the steps that belong to no item. */
	readonly #steps: Map<string, SentByStep>;
	/** In the item in which the agent before has come to no end. */
	readonly #before: z.infer<typeof keptOfJob>['item'];
	readonly #untold = new Map<string, Again>();
	/** The first item that is not done. */
	#place: number;
	#item: (ItemUnderWay & { index: number; steps: Map<string, SentByStep> }) | undefined;
	/** The tries that the item has had when its steps have sent something. */
	#triesSent = 0;
	/** One that fails, fails for all after it: nothing more is to be sent then. */
	#written: Promise<void> = Promise.resolve();
	/** What is to be noted as the step under way sends something. */
	#note: ((sent: Sent) => Promise<void>) | undefined;

	/** `write`: all items before `firstItem` are done, and this was sent. */
	constructor(
		{ first, sent }: Pick<Job, 'first' | 'sent'>,
		write: (firstItem: number, sent: string) => Promise<void>,
	) {
		this.#write = write;
		this.#place = first;
		const kept = sent === undefined ? undefined : keptOfJob.parse(JSON.parse(sent));
		this.#steps = new Map(kept?.steps);
		this.#before = kept?.item;
		this.#isToBeTold(this.#steps, { isOfItem: false });
	}

	/** An item begins. */
	begin(index: number): ItemUnderWay {
		this.leaveStep();
		const before = this.#before?.index === index ? this.#before : undefined;
		const { tries = 0 } = before ?? {};
		const steps = new Map(before?.steps);
		[this.#place, this.#triesSent] = [index, tries];
		this.#isToBeTold(steps, { isOfItem: true });
		const sent = [...steps.values()];
		const counted = sent.find(({ aside }) => !aside);
		const hadSent = counted?.what ?? sent.map(({ what }) => what).join('; ');
		this.#item = { index, tries, steps, ...(hadSent !== '' && { hadSent }) };
		return this.#item;
	}

	/** It is done; true if something was sent in it. */
	end(): boolean {
		const { index = this.#place - 1, steps } = this.#item ?? {};
		for (const step of steps?.keys() ?? []) this.#untold.delete(step);
		[this.#place, this.#item] = [index + 1, undefined];
		return steps !== undefined && steps.size > 0;
	}

	/** A step is about to do again what an earlier agent had sent by it: that is told once. */
	takeUntold(step: string): Again | undefined {
		const again = this.#untold.get(step);
		this.#untold.delete(step);
		return again;
	}

	/** The page of this job sends something. Rejects where that cannot be noted. */
	onSend = (sent: Sent): Promise<void> => this.#note?.(sent) ?? Promise.resolve();

	/** Does what a step does; `note` is called as it sends something. */
	async during<Result>(
		act: () => Promise<Result>,
		note: (sent: Sent) => Promise<void>,
	): Promise<Result> {
		this.#note = note;
		// Of one that has failed, or was called off, the browser may tell a moment later.
		const result = await act();
		this.leaveStep();
		return result;
	}

	/** What is sent from now on is none of the step before, as of a page that comes. */
	leaveStep(): void {
		this.#note = undefined;
	}

	/** What a step has sent so far, in the item if there is one. */
	sentBy(step: string): SentByStep | undefined {
		return this.#known.get(step);
	}

	/** A step has sent something: that is all that is known of it then. */
	note(step: string, { what, ...sent }: SentByStep): Promise<void> {
		const now = { what: withoutPasswords(shortened(what, maxSaid)), ...sent };
		const triesSent = now.aside ? this.#triesSent : (this.#item?.tries ?? this.#triesSent);
		const isKnown = isDeepStrictEqual(this.sentBy(step), now) && this.#triesSent === triesSent;
		if (isKnown) return this.written;
		this.#known.set(step, now);
		this.#triesSent = triesSent;
		return this.#store();
	}

	/** What it has sent since what was known `before` was refused: nobody has counted it. */
	forget(step: string, before: SentByStep | undefined): Promise<void> {
		if (this.sentBy(step) === before) return this.written;
		if (before) this.#known.set(step, before);
		else this.#known.delete(step);
		return this.#store();
	}

	/** Resolves when what was noted is written. */
	get written(): Promise<void> {
		return this.#written;
	}

	get #known(): Map<string, SentByStep> {
		return this.#item?.steps ?? this.#steps;
	}

	#isToBeTold(steps: Map<string, SentByStep>, { isOfItem }: Pick<Again, 'isOfItem'>): void {
		for (const [step, sent] of steps) this.#untold.set(step, { ...sent, isOfItem });
	}

	#store(): Promise<void> {
		const { index = 0, steps } = this.#item ?? {};
		const areAside = [...(steps?.values() ?? [])].every(({ aside }) => aside);
		const item = steps && { index, tries: areAside ? 0 : this.#triesSent, steps: [...steps] };
		const kept = { steps: [...this.#steps], ...(steps && steps.size > 0 && { item }) };
		const [place, sent] = [this.#place, JSON.stringify(kept)];
		this.#written = this.#written.then(() => this.#write(place, sent));
		// Whoever waits for it learns why that has failed.
		this.#written.catch(() => undefined);
		return this.#written;
	}
}
