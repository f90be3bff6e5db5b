import type { FastifyBaseLogger } from 'fastify';
import { withoutFragment } from '../text/withoutFragment.ts';

/** So many addresses that lead to one are no variants of it any more. */
const minLanded = 3;
/** Addresses that are kept in mind, of both kinds. */
const maxKept = 1_000;
/** Characters of one of them; longer ones are not kept. */
const maxAddress = 2_000;
/** So many of those that lead to a page which was opened for itself are told of. */
const maxTold = 10;

/** Where the addresses that were asked for have led: a site that is through with its visitor leads all to one. */
export class Landings {
	readonly #log: FastifyBaseLogger;
	/** By where they led: the first addresses that did. */
	readonly #from = new Map<string, Set<string>>();
	/** The pages that were opened for themselves, without what was asked of them. */
	readonly #opened = new Set<string>();
	/** The pages that others have led to, with the last one that has. */
	readonly #led = new Map<string, string>();
	#told = 0;

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/**
	 * An address was asked for, and led to one. Says so, once, where several have led there; and where that is a page which
	 * is opened for itself, or which others lead to, too: as the list whose entry is gone, or another entry of that.
	 */
	note(asked: string, landed: string): void {
		if (Math.max(asked.length, landed.length) > maxAddress) return;
		const [from, to, url] = [withoutFragment(asked), withoutFragment(landed), placeOf(landed)];
		if (url === to) this.#noteOther(from, to);
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

	#noteOther(from: string, to: string): void {
		const [asked, page] = [pageOf(from), pageOf(to)];
		// A page may have a longer name than it was asked for by.
		const isLonger = asked !== page && asked !== pageOf('/', from) && page.startsWith(asked);
		if (from === to || isLonger) {
			const before = this.#led.get(page) ?? this.#led.get(to);
			if (before !== undefined) this.#tellOther(before, to);
			for (const each of [page, to]) {
				this.#led.delete(each);
				if (this.#opened.size < maxKept) this.#opened.add(each);
			}
			return;
		}
		// Of one page, what is asked of it may say which one is meant.
		const place = asked === page ? to : page;
		const before = this.#led.get(place);
		if (before === from) return;
		if (before !== undefined || this.#opened.has(place)) this.#tellOther(from, to);
		if (this.#led.size < maxKept) this.#led.set(place, from);
	}

	#tellOther(from: string, url: string): void {
		if (this.#told >= maxTold) return;
		this.#told += 1;
		const reason = `${from} leads to this page, as others do, or it is opened for itself, too: what was read there is not that of another`;
		this.#log.warn({ url, reason }, 'page redirected to another one');
	}
}

/** An address without what is asked of its page, and without the slash at its end. */
function pageOf(address: string, base?: string): string {
	const { origin = '', pathname = '' } = URL.parse(address, base) ?? {};
	return origin + pathname.replace(/\/$/, '');
}

/** Names of pages that say in their query where their visitor wanted to go. */
const doors =
	/log-?in|sign-?in|auth|sso|anmeld|connexion|connecter|acceso|entrar|accedi|captcha|challenge|verif|consent|denied|blocked|error/i;

/** An address without what says on a page to log in, or the like, from where somebody came. */
function placeOf(address: string): string {
	const url = URL.parse(address);
	return url && doors.test(url.pathname) ? url.origin + url.pathname : withoutFragment(address);
}
