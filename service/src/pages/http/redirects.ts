import { isUtf8 } from 'node:buffer';
import { PageError } from '../page.ts';
import type { DocumentRequest } from './connection.ts';

/** A request as it is sent, and what redirects make of it. */
export interface SentRequest extends DocumentRequest {
	headers: Record<string, string>;
}

/** Redirects that are followed, one after the other, as in browsers. */
export const maxRedirects = 20;

const redirects = new Set([301, 302, 303, 307, 308]);

/** By these, browsers never ask: what listens there takes a request for something else (fetch, section 2.9). */
const badPorts = new Set(
	`1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
	135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993
	995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
		/\s+/,
	),
);

/** The address of a request; throws a PageError, or an Error that says why, where nobody is asked by it. */
export function askable(url: string): URL {
	const address = new URL(url);
	refuseCredentials(address);
	if (!/^https?:$/.test(address.protocol)) throw new Error('it is not an http or https URL');
	if (badPorts.has(address.port)) throw new Error('bad port');
	return address;
}

/**
 * What an answer of this status asks for instead, as browsers do (fetch, section 4.4): undefined if nothing.
 * Throws an Error where `location` is no address.
 */
export function redirected(
	{ url, form, headers }: SentRequest,
	status: number,
	location: string | undefined,
): SentRequest | undefined {
	if (!redirects.has(status) || location === undefined) return undefined;
	const from = new URL(url);
	const to = new URL(readLocation(location), url);
	// One that is named, also an empty one, takes the place of the one before.
	to.hash = location.includes('#') ? to.hash : from.hash;
	const keepsForm = form === undefined || status === 307 || status === 308;
	const kept = Object.entries(headers).filter(
		([name]) => keepsForm || !name.startsWith('content-'),
	);
	return {
		url: to.href,
		headers: Object.fromEntries(kept),
		...(keepsForm && form !== undefined && { form }),
	};
}

/** Sent with this address alone, they would be missing from the next one that the page leads to. */
function refuseCredentials({ href: url, username, password, host }: URL): void {
	if (username === '' && password === '') return;
	throw new PageError(
		`The address of a page on ${host} has a user name or password, which an http page does not send. Set "page" to "browser".`,
		{ url },
	);
}

/** `location` has a character for each byte. Those that are no UTF-8 are meant as they are. */
function readLocation(location: string): string {
	const bytes = Buffer.from(location, 'latin1');
	const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
	return isUtf8(bytes) ? bytes.toString() : location.replace(/[\x80-\xff]/g, escaped);
}
