import type { Page as Tab, Request } from 'playwright-core';
import type { Sent } from '../requestSettings.ts';
import { refuse, wasRefused } from './refusedRequests.ts';
import { areOfSameSite, asksOnly, isBeacon, placeNameOf } from './requestKinds.ts';

/** Has `onSend` called with all that a tab sends to anyone who may count it, but by sockets. */
export function watchSent(tab: Tab, onSend: (sent: Sent) => Promise<void>): void {
	tab.on('request', (request) => {
		// What a page breaks of its rules, the browser tells by itself.
		if (asksOnly(request) || request.resourceType() === 'cspviolationreport') return;
		// Whoever waits for it learns why that has failed.
		onSend(sentBy(request, tab)).catch(() => undefined);
	});
	tab.on('response', (response) => {
		if (response.status() >= 400) refuse(response.request());
	});
}

function sentBy(request: Request, tab: Tab): Sent {
	const isForm = request.isNavigationRequest();
	const isElsewhere = !areOfSameSite(request, tab);
	const isAside = !isForm && (isElsewhere || isBeacon(request));
	const how = isElsewhere ? 'to another site' : 'by a beacon';
	// What is asked of who counts visits is long, and tells nobody anything.
	const where = isAside ? `${placeNameOf(request)} ${how}` : request.url();
	const what = `${request.method()} ${where}`;
	return { what, isForm, isAside, isRefused: () => wasRefused(request) };
}
