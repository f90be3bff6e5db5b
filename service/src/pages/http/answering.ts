import { parentPort } from 'node:worker_threads';
import { PageError } from '../page.ts';
import { HtmlDocument } from './htmlDocument.ts';
import type { Answer, Asked, ToReader } from './reader.ts';

/** What can be asked of a document: it is given first, then what the question says. */
export type Commands = Record<string, (document: HtmlDocument, ...parameters: never[]) => unknown>;

/** Makes this thread one that parses documents and answers what is asked of them: see reader.ts. */
export function answer(commands: Commands): void {
	const documents = new Map<number, HtmlDocument>();

	const resultOf = ({ document, source, command, parameters }: Asked): unknown => {
		if (source) documents.set(document, new HtmlDocument(source));
		const asked = documents.get(document);
		if (!asked) throw new Error(`Document ${document} is not here.`);
		const asking = Object.hasOwn(commands, command) && commands[command];
		if (!asking) throw new Error(`Readers know no command ${command}.`);
		return Reflect.apply(asking, undefined, [asked, ...parameters]);
	};

	parentPort?.on('message', ({ forget, asked }: ToReader) => {
		for (const document of forget) documents.delete(document);
		if (!asked) return;
		const answer: Answer = { ...outcomeOf(() => resultOf(asked)), used: process.threadCpuUsage() };
		parentPort?.postMessage(answer);
	});
}

function outcomeOf(work: () => unknown): { result: unknown } | { failure: string } {
	try {
		return { result: work() };
	} catch (error) {
		return { failure: error instanceof PageError ? error.message : String(error) };
	}
}
