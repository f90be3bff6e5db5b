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

/** The policy that an element names, which may do so as older pages do. */
export function policyOf(said = ''): ReferrerPolicy | undefined {
	return olderNames[said.trim().toLowerCase()] ?? policyNamed(said);
}

function policyNamed(said: string): ReferrerPolicy | undefined {
	const name = said.trim().toLowerCase();
	return policies.find((each) => each === name);
}

/** The policy that a header names; of several, the last one that there is. */
export function policyIn(header: string | null | undefined): ReferrerPolicy | undefined {
	return header
		?.split(',')
		.map(policyNamed)
		.findLast((each) => each !== undefined);
}

/** The headers by which sites learn which page leads to them. */
interface ReferrerHeaders {
	referer?: string;
	origin?: string;
}

/** What sites are told of the page that leads to them, from one redirect to the next. */
export class ReferrerOfRequest {
	#referrer: Referrer | undefined;
	#origin: string | undefined;

	/** `referrer` undefined: no page leads there. */
	constructor(referrer: Referrer | undefined) {
		this.#referrer = referrer && { ...referrer };
	}

	/** For the site of an address; `isPosted`: with a form that is sent by POST. */
	headers(address: URL, isPosted: boolean): ReferrerHeaders {
		const told = this.#referrer ? referrerHeaders(this.#referrer, address, isPosted) : {};
		const { referer: url } = told;
		// What one site is not told, no other one is that it leads to.
		if (url === undefined) this.#referrer = undefined;
		else if (this.#referrer) this.#referrer.url = url;
		this.#origin ??= told.origin;
		return { ...told, ...(isPosted && this.#origin !== undefined && { origin: this.#origin }) };
	}

	/** A site leads on; `said`: its header `Referrer-Policy`. */
	redirected(from: string, to: string, said: string | null): void {
		// Where a form was meant to go is not where it goes.
		const isElsewhere = new URL(from).origin !== new URL(to).origin;
		if (isElsewhere && this.#origin !== undefined) this.#origin = 'null';
		const policy = policyIn(said);
		if (policy && this.#referrer) this.#referrer.policy = policy;
	}
}

function referrerHeaders(
	{ url, policy }: Referrer,
	address: URL,
	isPosted: boolean,
): ReferrerHeaders {
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
