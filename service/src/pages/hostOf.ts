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
