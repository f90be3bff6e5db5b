import { shortened } from '../text/shortened.ts';
import { PageError } from './page.ts';

/** Characters of a name, at most (RFC 1035, section 3.1.1, without the dot at its end): no host has a longer one. */
const maxName = 253;

/**
 * The address by whose host turns, rests and robots.txt are told apart: a name and the same with a dot at its end are
 * one.
 */
export function addressOfHost(url: string): URL {
	const address = new URL(url);
	address.hostname = address.hostname.replace(/\.$/, '');
	return address;
}

/** The host that a request goes to: its name, without a dot at its end, with the port unless that is the usual one. */
export function hostOf(url: string): string {
	return addressOfHost(url).host;
}

/** The same of one that is about to be asked. Throws a PageError where there can be none of its name. */
export function hostToAsk(url: string): string {
	const { hostname, host } = addressOfHost(url);
	if (hostname.length <= maxName) return host;
	throw new PageError(
		`The address "${shortened(url)}" has a host name of ${hostname.length} characters: there is none of more than ${maxName}.`,
		{ url },
	);
}
