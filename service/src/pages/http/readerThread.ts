import { parentPort } from 'node:worker_threads';
import { PageError } from '../page.ts';
import type { Answer, Asked, Method, ToReader } from './reader.ts';
import { HtmlDocument } from './htmlDocument.ts';

// A thread that parses documents and reads from them: see reader.ts.

const documents = new Map<number, HtmlDocument>();

parentPort?.on('message', ({ forget, asked }: ToReader) => {
	for (const document of forget) documents.delete(document);
	if (!asked) return;
	const answer: Answer = { ...answerTo(asked), used: process.threadCpuUsage() };
	parentPort?.postMessage(answer);
});

function answerTo({
	document,
	source,
	method,
	parameters,
}: Asked): { result: unknown } | { failure: string } {
	try {
		if (source) documents.set(document, new HtmlDocument(source));
		const asked = documents.get(document);
		if (!asked) throw new Error(`Document ${document} is not here.`);
		const methods: Record<Method, (...parameters: never[]) => unknown> = asked;
		const result: unknown = Reflect.apply(methods[method], asked, parameters);
		return { result };
	} catch (error) {
		return { failure: failureOf(error) };
	}
}

function failureOf(error: unknown): string {
	if (error instanceof PageError) return error.message;
	return String(error);
}
