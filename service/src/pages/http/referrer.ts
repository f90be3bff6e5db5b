// From which page another one is asked for: a site is told by the headers Referer and Origin, as by browsers.

const policies = [
	'no-referrer',
	'no-referrer-when-downgrade',
	'same-origin',
	'origin',
	'strict-origin',
	'origin-when-cross-origin',
	'strict-origin-when-cross-origin',
	'unsafe-url',
] as const;

/** How much of its address the sites may learn that a page leads to (W3C, Referrer Policy). */
export type ReferrerPolicy = (typeof policies)[number];

/** Where nothing is said of that. */
export const usualPolicy: ReferrerPolicy = 'strict-origin-when-cross-origin';

/** What older pages call them. */
const olderNames: Record<string, ReferrerPolicy> = {
	never: 'no-referrer',
	default: usualPolicy,
	always: 'unsafe-url',
	'origin-when-crossorigin': 'origin-when-cross-origin',
};

/** A page that leads to another one. */
export interface Referrer {
	url: string;
	policy: ReferrerPolicy;
}

/** Characters of an address that are told; of a longer one, its origin is. */
const maxReferrer = 4_096;

/** The policy that a header, an element or an attribute names; of several, the last one that there is. */
export function policyIn(said: string | null | undefined): ReferrerPolicy | undefined {
	const names = (said ?? '').toLowerCase().split(/[\s,]+/);
	return names
		.map((name) => olderNames[name] ?? policies.find((each) => each === name))
		.findLast((each) => each !== undefined);
}

/** The headers by which the site of an address learns who leads to it; `isPosted`: with a form that is sent by POST. */
export function referrerHeaders(
	{ url, policy }: Referrer,
	address: URL,
	isPosted: boolean,
): { referer?: string; origin?: string } {
	const from = new URL(url);
	const isSame = from.origin === address.origin;
	const isDowngrade = isTrustworthy(from) && !isTrustworthy(address);
	const origin = `${from.origin}/`;
	from.hash = from.username = from.password = '';
	const whole = from.href.length > maxReferrer ? origin : from.href;
	const referer = {
		'no-referrer': undefined,
		'no-referrer-when-downgrade': isDowngrade ? undefined : whole,
		'same-origin': isSame ? whole : undefined,
		origin,
		'strict-origin': isDowngrade ? undefined : origin,
		'origin-when-cross-origin': isSame ? whole : origin,
		'strict-origin-when-cross-origin': isSame ? whole : isDowngrade ? undefined : origin,
		'unsafe-url': whole,
	}[policy];
	const isUntold = referer === undefined;
	return {
		...(!isUntold && { referer }),
		...(isPosted && { origin: isUntold ? 'null' : from.origin }),
	};
}

/** What nobody reads on the way (W3C, Secure Contexts). */
function isTrustworthy({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || /^(127\.[\d.]+|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}
