import { Worker } from 'node:worker_threads';
import { reasonOf } from '../../errors/thrown.ts';
import { PageError, type Outage } from '../page.ts';
import type { FetchedDocument } from './fetchDocument.ts';

/** A document of which readers have copies. */
export interface Source extends FetchedDocument {
	number: number;
}

/** A command, which a reader carries out on a document. */
export interface Asked {
	document: number;
	/** Absent: the reader has the document. */
	source: FetchedDocument | undefined;
	command: string;
	parameters: unknown[];
}

export interface ToReader {
	/** Documents that there are no more questions to; comes first. */
	forget: number[];
	asked?: Asked;
}

export type Answer<Result = unknown> = ({ result: Result } | { failure: string }) & {
	/** The work of the thread so far. */
	used: NodeJS.CpuUsage;
};

/** The reader ended before it came to a question, or by more than the document that was asked. */
export class ReaderLost extends Error {
	/** Whether the question was being worked on. */
	readonly wasBegun: boolean;

	constructor(wasBegun: boolean) {
		super('The reader ended.');
		this.wasBegun = wasBegun;
	}
}

interface Question {
	source: Source;
	command: string;
	parameters: unknown[];
	answer(this: void, answer: Answer): void;
	fail(this: void, error: Error): void;
}

/** Milliseconds of work, many times what pages take that are not made to take long. */
const timeout = 5_000;
/** Milliseconds between two looks at how much a thread has worked. */
const interval = 1_000;
/** MiB of memory for the documents of one reader. */
const memory = 512;
/** Bytes of the documents that a reader keeps for more questions; in memory they take up to sixty times that. */
const maxKept = 4 * 1024 * 1024;
/** Bytes that a document counts for at least: what is made of the smallest one takes some, too. */
const least = 16 * 1024;
/**
 * Questions that a thread has at once: the one that it works on, and the next. It would hear too late,
 * behind the others, that a document is done with: what lives longer takes much longer to be cleared away.
 */
const maxSent = 2;

/** What begins like this is said of the files or threads of the machine, and of no document. */
const shortage = /^(E[A-Z]+:|Worker initialization failure:|Cannot find (module|package) )/;

const unreadable = 'The page could not be read: ';

interface Lost {
	isShared?: boolean;
	outage?: Outage;
}

/** A thread that parses documents and reads from them, one question after the other. */
export class Reader {
	readonly #thread: Worker;
	/** The first one is being worked on. */
	readonly #questions: Question[] = [];
	/** How many of them the thread has. */
	#sent = 0;
	/** The numbers of documents that the thread is still to forget. */
	#forgotten: number[] = [];
	/** What the thread has, the one that was not asked for longest first. */
	readonly #kept = new Set<Source>();
	readonly #onEnd: () => void;
	/** The work of the thread before the first question. */
	#used: NodeJS.CpuUsage = { user: 0, system: 0 };
	#timer: NodeJS.Timeout | undefined;
	/** Whether the thread has read anything before. */
	#isUsed = false;

	/** `thread`: the file that it runs, in which `answer` is called. Throws a PageError where this machine has no thread left. */
	constructor(thread: URL, onEnd: () => void) {
		this.#thread = begun(thread);
		this.#onEnd = onEnd;
		this.#thread.on('message', (answer: Answer) => this.#answered(answer));
		this.#thread.on('error', (error: Error) =>
			this.#lost(unreadable + error.message, {
				isShared: this.#isUsed,
				...(shortage.test(error.message) && { outage: { of: 'machine' } }),
			}),
		);
		this.#thread.unref();
	}

	/** How many questions wait for this reader, the one that it works on among them. */
	get waiting(): number {
		return this.#questions.length;
	}

	/** Whether it has no document, and nothing to answer. */
	get isIdle(): boolean {
		return this.#kept.size === 0 && this.#questions.length === 0;
	}

	/** Whether it has a document, or will have it for a question that waits. */
	has(source: Source): boolean {
		return this.#kept.has(source) || this.#questions.some((question) => question.source === source);
	}

	/** Rejects with a PageError that is this document's own, or with ReaderLost. */
	ask<Result>(source: Source, command: string, parameters: unknown[]): Promise<Result> {
		return new Promise((resolve, fail) => {
			this.#questions.push({
				source,
				command,
				parameters,
				answer(answer: Answer<Result>) {
					if ('result' in answer) resolve(answer.result);
					else fail(new PageError(answer.failure));
				},
				fail,
			});
			this.#send();
			if (this.#questions.length === 1) this.#watch();
		});
	}

	/** Nobody waits for more answers of this document. */
	forget(source: Source): void {
		for (const question of this.#questions.slice(this.#sent)) {
			if (question.source !== source) continue;
			this.#questions.splice(this.#questions.indexOf(question), 1);
			question.fail(new PageError('The page was left.'));
		}
		if (!this.#kept.delete(source)) return;
		this.#forgotten.push(source.number);
		if (this.#questions.length === 0) this.#post();
	}

	async close(): Promise<void> {
		// An answer that comes meanwhile would have the process not wait for the end of the thread.
		this.#thread.removeAllListeners('message');
		await this.#thread.terminate();
	}

	/** Gives the thread what it may have. */
	#send(): void {
		for (const { source, command, parameters } of this.#questions.slice(this.#sent, maxSent)) {
			const copy = this.#kept.has(source) ? undefined : source;
			this.#keep(source);
			this.#post({ document: source.number, source: copy, command, parameters });
			this.#sent += 1;
		}
	}

	#post(asked?: Asked): void {
		const forget = this.#forgotten;
		this.#forgotten = [];
		this.#thread.postMessage({ forget, asked });
	}

	#keep(source: Source): void {
		this.#kept.delete(source);
		this.#kept.add(source);
		let bytes = 0;
		for (const each of [...this.#kept].reverse()) {
			bytes += Math.max(least, each.body.length);
			if (bytes > maxKept && each !== source) this.forget(each);
		}
	}

	#answered(answer: Answer): void {
		const question = this.#questions.shift();
		this.#sent -= 1;
		this.#used = answer.used;
		this.#isUsed = true;
		this.#watch();
		// It may not even have been parsed.
		if (question && 'failure' in answer) this.forget(question.source);
		this.#send();
		if (this.#forgotten.length > 0 && this.#questions.length === 0) this.#post();
		question?.answer(answer);
	}

	/** Gives the first question its time; a thread without any does not keep the process alive. */
	#watch(): void {
		clearTimeout(this.#timer);
		const [question] = this.#questions;
		if (!question) {
			this.#thread.unref();
			return;
		}
		this.#thread.ref();
		this.#timer = setTimeout(() => void this.#check(question), interval);
	}

	/** Time that a busy machine gives to others is not the page's. */
	async #check(question: Question): Promise<void> {
		const used = await this.#thread.cpuUsage(this.#used).catch(() => undefined);
		if (!used || this.#questions[0] !== question) return;
		if (used.user + used.system < timeout * 1000) this.#watch();
		else this.#lost(`The page took over ${timeout / 1000} s of work.`);
	}

	/** `isShared`: what was read before may be to blame, so that the first question gets a thread of its own. */
	#lost(reason: string, { isShared = false, outage }: Lost = {}): void {
		clearTimeout(this.#timer);
		this.#onEnd();
		void this.#thread.terminate();
		const [first, ...others] = this.#questions.splice(0);
		first?.fail(isShared ? new ReaderLost(true) : new PageError(reason, { outage }));
		for (const { fail } of others) fail(new ReaderLost(false));
	}
}

/** A thread that is begun. Where none is left, Node.js says that at once, or as the thread's own error. */
function begun(thread: URL): Worker {
	try {
		return new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: memory } });
	} catch (error) {
		throw new PageError(`${unreadable}${reasonOf(error)}`, { outage: { of: 'machine' } });
	}
}
