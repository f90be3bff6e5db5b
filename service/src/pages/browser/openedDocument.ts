import type { Page as Tab, Request } from 'playwright-core';
import { endOf, type DocumentEnd } from '../documentEnd.ts';
import { within } from './within.ts';

/** Milliseconds for the browser to hand over a document that has come. */
const handover = 1_000;
/** Bytes, as they have come, of documents that it is asked for: what is larger takes it long. */
const maxLength = 1_048_576;

/** What has come as the document of a tab: of what is made of it, its end cannot be seen. */
export class OpenedDocument {
	#end: Promise<DocumentEnd | undefined> | undefined;

	constructor(tab: Tab) {
		const isOwn = (request: Request) =>
			request.isNavigationRequest() && request.frame() === tab.mainFrame();
		tab.on('request', (request) => {
			if (isOwn(request)) this.#end = undefined;
		});
		tab.on('requestfinished', (request) => {
			if (isOwn(request)) this.#end = endOfAnswer(request).catch(() => undefined);
		});
	}

	/** How it ends; undefined: it is not to be had. */
	end(): Promise<DocumentEnd | undefined> {
		return within(handover, this.#end);
	}
}

async function endOfAnswer(request: Request): Promise<DocumentEnd | undefined> {
	const { responseBodySize } = await request.sizes();
	const response = await request.response();
	if (!response || responseBodySize > maxLength) return undefined;
	return endOf(await response.body(), response.headers()['content-type'] ?? '');
}
