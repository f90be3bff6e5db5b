import type { FastifyBaseLogger } from 'fastify';
import { withoutFragment } from '../text/withoutFragment.ts';

/** So many addresses that lead to one are no variants of it any more. */
const minLanded = 3;
/** Addresses that are kept in mind, of both kinds. */
const maxKept = 1_000;
/** So many of those that lead to a page which was opened for itself are told of. */
const maxTold = 10;

/** Where the addresses that were asked for have led: a site that is through with its visitor leads all to one. */
export class Landings {
	readonly #log: FastifyBaseLogger;
	/** By where they led: the first addresses that did. */
	readonly #from = new Map<string, Set<string>>();
	/** Those that led nowhere else. */
	readonly #opened = new Set<string>();
	#told = 0;

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/**
	 * An address was asked for, and led to one. Says so, once, where several have led there; and where that is a page which
	 * is opened for itself, too, as the list whose entry is gone, or another entry of that.
	 */
	note(asked: string, landed: string): void {
		const [from, to, url] = [withoutFragment(asked), withoutFragment(landed), placeOf(landed)];
		if (from === to && this.#opened.size < maxKept) this.#opened.add(from);
		const [other] = from === to ? (this.#from.get(url) ?? []) : [this.#opened.has(to) && from];
		if (other) this.#tellOther(other, to);
		if (from === to || from === url) return;
		const known = this.#from.get(url);
		if (!known && this.#from.size >= maxKept) return;
		const all = known ?? new Set();
		if (all.size >= minLanded) return;
		this.#from.set(url, all.add(from));
		if (all.size < minLanded) return;
		const reason = 'several addresses lead to this one: it may be a log-in page or a refusal';
		this.#log.warn({ url, first: [...all][0], reason }, 'pages redirected to one address');
	}

	#tellOther(from: string, url: string): void {
		if (this.#told >= maxTold) return;
		this.#told += 1;
		const reason = `${from} leads to this page, which is opened for itself, too: what was read there is not that of another`;
		this.#log.warn({ url, reason }, 'page redirected to another one');
	}
}

/** Names of pages that say in their query where their visitor wanted to go. */
const doors =
	/log-?in|sign-?in|auth|sso|anmeld|connexion|connecter|acceso|entrar|accedi|captcha|challenge|verif|consent|denied|blocked|error/i;

/** An address without what says on a page to log in, or the like, from where somebody came. */
function placeOf(address: string): string {
	const url = URL.parse(address);
	return url && doors.test(url.pathname) ? url.origin + url.pathname : withoutFragment(address);
}
