import type { Request } from 'playwright-core';

/** Requests that last as long as their page. */
const lasting = new Set(['eventsource', 'websocket', 'media', 'ping']);

/** Whether a request has no end that a tab hears of before that of its page. */
export function isLasting(request: Request): boolean {
	return lasting.has(request.resourceType()) || isOfSharedWorker(request);
}

/** Whether it asks for a film or a sound. */
export function isMedia(request: Request): boolean {
	return request.resourceType() === 'media';
}

/** For the script of a shared worker the browser asks by itself, and tells a tab of no answer. */
function isOfSharedWorker(request: Request): boolean {
	return request.resourceType() === 'script' && request.headers()['user-agent'] === undefined;
}
