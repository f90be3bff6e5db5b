/** Headers of a task that say who asks: they are for the sites alone that it names. */
const secret = /^(authorization|cookie)$/i;

type Headers = Record<string, string>;

/** The headers of a task, apart: those that say who asks, and those that any site may get. */
export function secretsApart(headers: Headers = {}): { secrets: Headers; others: Headers } {
	const all = Object.entries(headers);
	return {
		secrets: Object.fromEntries(all.filter(([name]) => secret.test(name))),
		others: Object.fromEntries(all.filter(([name]) => !secret.test(name))),
	};
}

export function haveSecrets(headers: Headers = {}): boolean {
	return Object.keys(headers).some((name) => secret.test(name));
}

/** Whether an address is of a named site (an origin), or of the same one by https. */
export function isNamed({ origin, protocol, host }: URL, sites: ReadonlySet<string>): boolean {
	return sites.has(origin) || (protocol === 'https:' && sites.has(`http://${host}`));
}

/** The site of an address alone. */
export function sitesOf(url: string): ReadonlySet<string> {
	const origin = URL.parse(url)?.origin;
	return new Set(origin === undefined ? [] : [origin]);
}
