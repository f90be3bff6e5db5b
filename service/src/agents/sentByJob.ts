import { z } from 'zod';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import type { Job } from '../store/jobStore.ts';
import { shortened } from '../text/shortened.ts';

const sentByStep = z.object({
	/** For people: `a click on .order had sent POST https://…`. */
	what: z.string(),
	isFormSent: z.boolean(),
});
/** By the ids of steps. */
const steps = z.array(z.tuple([z.string(), sentByStep]));

/** What is kept of a job, as JSON: of an item of the list that its batch was split by, and of what belongs to none. */
const keptOfJob = z.object({
	steps,
	/** `tries`: how many of it there were. */
	item: z.object({ index: z.number(), tries: z.number(), steps }).optional(),
});

/** What a step has sent that its site may have counted. */
export type SentByStep = z.infer<typeof sentByStep>;

/** An item that is worked on. */
export interface ItemUnderWay {
	/** Tries of it that are used up, with the one under way: another process may have made some, and have sent something. */
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
	#note: (() => Promise<void>) | undefined;

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
		const before = this.#before?.index === index ? this.#before : undefined;
		const { tries = 0 } = before ?? {};
		const steps = new Map(before?.steps);
		[this.#place, this.#triesSent] = [index, tries];
		this.#isToBeTold(steps, { isOfItem: true });
		const [first] = steps.values();
		this.#item = { index, tries, steps, ...(first && { hadSent: first.what }) };
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
	onSend = (): Promise<void> => this.#note?.() ?? Promise.resolve();

	/** Does what a step does; `note` is called as it sends something. */
	async during<Result>(act: () => Promise<Result>, note: () => Promise<void>): Promise<Result> {
		this.#note = note;
		// Of one that has failed, or was called off, the browser may tell a moment later.
		const result = await act();
		this.#note = undefined;
		return result;
	}

	/** Whether a step has sent something, in the item if there is one. */
	has(step: string): boolean {
		return this.#known.has(step);
	}

	/** A step has sent something. */
	note(step: string, { what, isFormSent }: SentByStep): Promise<void> {
		const isKnown = this.has(step) && this.#triesSent === (this.#item?.tries ?? this.#triesSent);
		if (isKnown) return this.written;
		this.#known.set(step, { what: withoutPasswords(shortened(what, maxSaid)), isFormSent });
		if (this.#item) this.#triesSent = this.#item.tries;
		return this.#store();
	}

	/** What it has sent was refused: nobody has counted it. */
	forget(step: string): Promise<void> {
		this.#known.delete(step);
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
		const item = steps && { index, tries: this.#triesSent, steps: [...steps] };
		const kept = { steps: [...this.#steps], ...(steps && steps.size > 0 && { item }) };
		const [place, sent] = [this.#place, JSON.stringify(kept)];
		this.#written = this.#written.then(() => this.#write(place, sent));
		// Whoever waits for it learns why that has failed.
		this.#written.catch(() => undefined);
		return this.#written;
	}
}
