import { availableParallelism } from 'node:os';
import { PageError } from '../page.ts';
import { Reader, ReaderLost, type Source } from './reader.ts';
import type { FetchedDocument } from './fetchDocument.ts';
import type { HtmlDocument } from './htmlDocument.ts';
import type { ReadingCommands } from './readingCommands.ts';
import { threadFile } from './threadFile.ts';

/** Asking the machine for it takes longer than a look at the threads. */
const maxReaders = availableParallelism();

/**
 * Bytes of a document that is large: these take up to sixty times that in memory, and are read by one thread, one after
 * the other, which ends with the last of them.
 */
const large = 2 * 1024 * 1024;

/** A document for questions that are about none. */
const blank: FetchedDocument = { body: new Uint8Array(), url: 'about:blank', contentType: '' };

/**
 * Reads documents in threads, as many as the machine has cores, so that whatever a document is made
 * of holds up no other. A thread that is lost to one costs the others nothing: they are parsed again.
 */
export class Readers<Commands extends ReadingCommands = ReadingCommands> {
	readonly #thread: URL;
	readonly #readers = new Set<Reader>();
	/** Those of them that read large documents. */
	readonly #forLarge = new Set<Reader>();
	#documents = 0;

	/** `thread`: the file that each of them runs, in which `answer` is called with these commands. */
	constructor(thread = threadFile('./readerThread', import.meta.url)) {
		this.#thread = thread;
	}

	/** A document to ask. */
	add(document: FetchedDocument): Source {
		this.#documents += 1;
		return { ...document, number: this.#documents };
	}

	/** What a document answers; rejects with a PageError. */
	async ask<Name extends keyof Commands & string>(
		source: Source,
		command: Name,
		...parameters: ParametersOf<Commands[Name]>
	): Promise<ResultOf<Commands[Name]>> {
		let reader = this.#readerOf(source);
		for (;;) {
			try {
				return await reader.ask(source, command, parameters);
			} catch (error) {
				if (!(error instanceof ReaderLost)) throw error;
				// One that has read nothing else tells whether the document is to blame.
				reader = error.wasBegun ? this.#newReader(source) : this.#readerOf(source);
			}
		}
	}

	/** What an expression keeps of texts, which may take long; rejects with a PageError where it takes too long. */
	async matches(this: Readers, texts: string[][], match: string): Promise<string[][]> {
		const source = this.add(blank);
		try {
			return await this.ask(source, 'matches', texts, match);
		} finally {
			this.forget(source);
		}
	}

	/** Whether a thread can be begun. */
	async canBegin(): Promise<boolean> {
		let reader: Reader | undefined;
		try {
			reader = new Reader(this.#thread, () => undefined);
			await reader.ask(this.add(blank), 'matches', [[], '']);
			return true;
		} catch (error) {
			if (error instanceof PageError) return false;
			throw error;
		} finally {
			await reader?.close();
		}
	}

	/** There will be no more questions to a document for now. */
	forget(source: Source): void {
		for (const reader of this.#readers) reader.forget(source);
		for (const reader of this.#forLarge) {
			if (!reader.isIdle) continue;
			this.#ended(reader);
			void reader.close();
		}
	}

	async close(): Promise<void> {
		await Promise.all([...this.#readers].map((reader) => reader.close()));
	}

	#readerOf(source: Source): Reader {
		const isFor = isLarge(source);
		const readers = [...this.#readers]
			.filter((reader) => this.#forLarge.has(reader) === isFor)
			.sort((a, b) => a.waiting - b.waiting);
		const [free] = readers;
		const known = readers.find((reader) => reader.has(source)) ?? free;
		const most = isFor ? 1 : maxReaders;
		if (known && (known.waiting === 0 || known.has(source) || readers.length >= most)) return known;
		return this.#newReader(source);
	}

	#newReader(source: Source): Reader {
		const reader: Reader = new Reader(this.#thread, () => this.#ended(reader));
		this.#readers.add(reader);
		if (isLarge(source)) this.#forLarge.add(reader);
		return reader;
	}

	#ended(reader: Reader): void {
		this.#readers.delete(reader);
		this.#forLarge.delete(reader);
	}
}

function isLarge({ body }: Source): boolean {
	return body.length > large;
}

/** What a command is given besides the document. */
export type ParametersOf<Command> = Command extends (
	document: HtmlDocument,
	...parameters: infer Given
) => unknown
	? Given
	: never;

export type ResultOf<Command> = Command extends (...parameters: never[]) => infer Result
	? Result
	: never;
