import { parentPort } from 'node:worker_threads';
import { PageError } from '../page.ts';
import type { Answer, Method, ToReader } from './reader.ts';
import { HtmlDocument } from './htmlDocument.ts';

// A thread that parses documents and reads from them: see reader.ts.

const documents = new Map<number, HtmlDocument>();

parentPort?.on('message', (message: ToReader) => {
	if ('forget' in message) documents.delete(message.forget);
	else parentPort?.postMessage(answerTo(message));
});

function answerTo({
	document,
	source,
	method,
	parameters,
}: Exclude<ToReader, { forget: number }>): Answer {
	try {
		if (source) documents.set(document, new HtmlDocument(source));
		const asked = documents.get(document);
		if (!asked) throw new Error(`Document ${document} is not here.`);
		const methods: Record<Method, (...parameters: never[]) => unknown> = asked;
		return { result: Reflect.apply(methods[method], asked, parameters) };
	} catch (error) {
		return { failure: reasonOf(error) };
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof PageError) return error.message;
	return String(error);
}
