import type { Request } from 'playwright-core';

// Of what kind, place and site something is that a page asks for.

/** What scripts ask for data by. */
const dataTypes = new Set(['fetch', 'xhr', 'script', 'eventsource']);

/** Also ahead of a script that takes it, as by a `link` (preload); not for a page that may follow (prefetch). */
export function isData(request: Request): boolean {
	const type = request.resourceType();
	return dataTypes.has(type) || (type === 'other' && !('sec-purpose' in request.headers()));
}

/** Whether it asks for events: what a step asks for so may come to an end, as a search, or what a program writes. */
export function isStream(request: Request): boolean {
	return request.resourceType() === 'eventsource';
}

/** Whether its page does not learn what comes of it (`sendBeacon`, `ping` of a link). */
export function isBeacon(request: Request): boolean {
	return request.resourceType() === 'ping';
}

/** Whether it changes nothing at its site: `GET`, or a query of GraphQL, which is sent. */
export function asksOnly(request: Request): boolean {
	if (/^(GET|HEAD|OPTIONS)$/.test(request.method())) return true;
	const sent = request.postData() ?? '';
	return /"query"\s*:\s*"\s*(query\b|\{)/.test(sent) && !/\bmutation\b/.test(sent);
}

/** Where something was asked for, without what was asked. */
export function placeNameOf(asked: { url(): string }): string {
	const { origin = '', pathname = '' } = URL.parse(asked.url()) ?? {};
	return origin + pathname;
}

/** The same of what differs by its numbers only. */
export function withoutNumbers(text: string): string {
	return text.replace(/\d+/g, '');
}

/** What was asked first, whatever redirects have led to. */
export function firstOf(request: Request): Request {
	let first = request;
	for (let from = first.redirectedFrom(); from; from = first.redirectedFrom()) first = from;
	return first;
}

/** The place of that, without its numbers. */
export function placeKindOf(asked: Request | { url(): string }): string {
	return withoutNumbers(placeNameOf('method' in asked ? firstOf(asked) : asked));
}

export function placeOf(asked: { url(): string }): { host: string; name: string } {
	return { host: URL.parse(asked.url())?.hostname ?? '', name: placeNameOf(asked) };
}

/** By which what is asked again and again is known: at the place of what answers with news, other things may be sent. */
export function channelOf(asked: Request | { url(): string }): string {
	const place = placeNameOf(asked);
	if (!('method' in asked)) return place;
	return `${asked.method()} ${isStream(asked) ? withoutNumbers(place) : place}`;
}

export function nameOf(request: Request): string {
	return `${request.method()} ${request.url()} ${request.postData() ?? ''}`;
}

/** The same for what differs by its numbers only. */
export function kindOf(asked: Request | { kind: string }): string {
	return 'kind' in asked ? asked.kind : withoutNumbers(nameOf(asked));
}

/** Whether what is asked for is of the site of a page. */
export function areOfSameSite(asked: { url(): string }, page: { url(): string }): boolean {
	return isOfSameSite(placeOf(asked).host, placeOf(page).host);
}

/** As `api.shop.example` is of `www.shop.example`: they differ in their first label. */
export function isOfSameSite(one: string, other: string): boolean {
	const siteOf = (host: string) =>
		host.split('.').length > 2 ? host.replace(/^[^.]*\./, '') : host;
	const [first, second] = [siteOf(one), siteOf(other)];
	return (
		one === other || first === second || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
	);
}
