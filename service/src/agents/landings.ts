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
	/** What the steps that open pages have asked for: how often that came, and what has led elsewhere. */
	readonly #steps = new Map<
		string,
		{ came: number; elsewhere: number; untold: [string, string][] }
	>();
	/** The addresses that were told of. */
	readonly #told = new Set<string>();

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/**
	 * An address was asked for, and led to one. Says so, once, where several have led there; and where that is a page which
	 * is opened for itself, or which others lead to, too: as the list whose entry is gone, or another entry of that. The same
	 * where most of what the same `step` has asked for came by itself.
	 */
	note(asked: string, landed: string, step = ''): void {
		if (Math.max(asked.length, landed.length) > maxAddress) return;
		const [from, to, url] = [withoutFragment(asked), withoutFragment(landed), placeOf(landed)];
		this.#noteOfStep(from, to, step);
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

	#noteOfStep(from: string, to: string, step: string): void {
		const known = this.#steps.get(step) ?? { came: 0, elsewhere: 0, untold: [] };
		this.#steps.set(step, known);
		if (isNamedAlike(from, to)) known.came += 1;
		else {
			known.elsewhere += 1;
			if (known.untold.length < maxTold) known.untold.push([from, to]);
		}
		// Where a site leads everybody to other names, that is how its pages are called.
		if (known.elsewhere > known.came) return;
		for (const [asked, url] of known.untold.splice(0)) {
			this.#tell(
				asked,
				url,
				'where others of its step lead nowhere: what was read may be of another page',
			);
		}
	}

	#tellOther(from: string, url: string): void {
		this.#tell(
			from,
			url,
			'as others do, or it is opened for itself, too: what was read there is not that of another',
		);
	}

	#tell(from: string, url: string, why: string): void {
		if (this.#told.size >= maxTold || this.#told.has(from)) return;
		this.#told.add(from);
		const reason = `${from} leads to this page, ${why}`;
		this.#log.warn({ url, reason }, 'page redirected to another one');
	}
}

/** An address without what is asked of its page, and without the slash at its end. */
function pageOf(address: string, base?: string): string {
	const { origin = '', pathname = '' } = URL.parse(address, base) ?? {};
	return origin + pathname.replace(/\/$/, '');
}

/** Whether a page has the name that it was asked for by, or a longer one, or another one with the same number. */
function isNamedAlike(from: string, to: string): boolean {
	const [asked, landed] = [URL.parse(from), URL.parse(to)];
	if (!asked || !landed) return true;
	const nameOf = ({ pathname }: URL) => pathname.toLowerCase().replace(/\/(index\.\w+)?$/, '');
	const [name, now] = [nameOf(asked), nameOf(landed)];
	const numbersIn = (path: string): string[] => path.split('/').at(-1)?.match(/\d+/g) ?? [];
	const isLonger = name !== '' && (now.startsWith(name) || now.endsWith(name));
	const isNumbered = numbersIn(name).some((number) => numbersIn(now).includes(number));
	if (name !== now) return isLonger || isNumbered;
	// Of one page, what is asked of it may say which one is meant.
	return [...asked.searchParams].every(
		([key, value]) => !landed.searchParams.has(key) || landed.searchParams.has(key, value),
	);
}

/** Names of pages that say in their query where their visitor wanted to go. */
const doors =
	/log-?in|sign-?in|auth|sso|anmeld|connexion|connecter|acceso|entrar|accedi|captcha|challenge|verif|consent|denied|blocked|error/i;

/** An address without what says on a page to log in, or the like, from where somebody came. */
function placeOf(address: string): string {
	const url = URL.parse(address);
	return url && doors.test(url.pathname) ? url.origin + url.pathname : withoutFragment(address);
}
