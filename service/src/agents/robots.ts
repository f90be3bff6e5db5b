import robotsParser from 'robots-parser';
import { PageError, type MayAsk } from '../pages/page.ts';
import { defaultUserAgent, type RequestSettings } from '../pages/requestSettings.ts';
import { fetchRobots } from '../pages/http/fetchRobots.ts';
import { addressOfHost } from '../pages/hostOf.ts';

/** Milliseconds for which a robots.txt holds (RFC 9309, section 2.4). */
const lifetime = 24 * 60 * 60 * 1000;
/** Seconds that a robots.txt can make an agent wait at most. */
const maxDelay = 60;
/** Characters of all that are kept: they take ten times as much memory. */
const maxKept = 10_000_000;
/** Characters of an address that are compared with the rules. */
const maxAddress = 2_000;
/** Characters of rules with a *, together: to compare them takes time that grows with their length. */
const maxPatterns = 50_000;

/** What a site's robots.txt says to the agents of a task. */
export interface RobotsRules {
	/** Milliseconds that it asks them to wait before each page. */
	delay: number;
	/** Throws a PageError if it forbids an address of the site. */
	check(url: string): void;
}

/** Makes a request when its host may be asked, and the next one where it is led to another host. */
type InTurn = (url: string, request: (mayAsk: MayAsk) => Promise<void>) => Promise<void>;

/** The robots.txt of the sites that a batch asks for pages, each fetched once, unless there are very many. */
export class Robots {
	readonly #settings: RequestSettings;
	readonly #inTurn: InTurn;
	readonly #signal: AbortSignal;
	readonly #known = new Map<string, { rules: Promise<RobotsRules>; until: number }>();
	/** Those that have come, with their length; first the one that came first. */
	readonly #lengths = new Map<string, number>();
	#length = 0;

	constructor(settings: RequestSettings, inTurn: InTurn, signal: AbortSignal) {
		this.#settings = settings;
		this.#inTurn = inTurn;
		this.#signal = signal;
	}

	/** The rules of an address's site. Throws a PageError while they are not to be had. */
	of(url: string): Promise<RobotsRules> {
		const { origin } = addressOfHost(url);
		const known = this.#known.get(origin);
		if (known && performance.now() < known.until) return known.rules;
		const rules = this.#fetch(origin);
		this.#known.set(origin, { rules, until: performance.now() + lifetime });
		// The next page asks for it again.
		rules.catch(() => this.#known.delete(origin));
		return rules;
	}

	async #fetch(origin: string): Promise<RobotsRules> {
		let text = '';
		const [signal, address] = [this.#signal, `${origin}/robots.txt`];
		await this.#inTurn(address, async (mayAsk) => {
			text = await fetchRobots(address, this.#settings, { signal, mayAsk });
		});
		this.#keep(origin, text.length);
		return rulesIn(text, address, robotsName(this.#settings.userAgent ?? defaultUserAgent));
	}

	/** The oldest ones go where they are too long together. */
	#keep(origin: string, length: number): void {
		this.#length += length - (this.#lengths.get(origin) ?? 0);
		this.#lengths.delete(origin);
		this.#lengths.set(origin, length);
		for (const [oldest, its] of this.#lengths) {
			if (this.#length <= maxKept) return;
			this.#lengths.delete(oldest);
			this.#known.delete(oldest);
			this.#length -= its;
		}
	}
}

/** What the text of the robots.txt at `address` says to agents of this name. */
export function rulesIn(text: string, address: string, name: string): RobotsRules {
	const robots = robotsParser(address, withPlainEscapes(text));
	const delay = Math.min(robots.getCrawlDelay(name) ?? 0, maxDelay) * 1000;
	const patterns = text.match(/^[^#\n\r]*\*.*/gm)?.join('').length ?? 0;
	return {
		delay,
		check(url) {
			if (patterns > maxPatterns) {
				throw new PageError(
					`${address} has more than ${maxPatterns} characters of rules with a *, too many to obey.`,
					{ url },
				);
			}
			const { href } = addressOfHost(url);
			const asked = withPlainEscapes(href.slice(0, maxAddress));
			if (robots.isAllowed(asked, name) !== false) return;
			throw new PageError(`${address} forbids ${url} for ${name}.`, { url });
		},
	};
}

/** Escapes of characters that need none mean these (RFC 9309, section 2.2.2; RFC 3986, section 6.2.2). */
function withPlainEscapes(text: string): string {
	return text.replace(/%[\da-f]{2}/gi, (escape) => {
		const character = String.fromCharCode(parseInt(escape.slice(1), 16));
		return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
	});
}

/**
 * The name by which a robots.txt knows who has this user agent: its first word, or what browsers and
 * robots that pass for one say behind "compatible".
 */
export function robotsName(userAgent: string): string {
	const compatible = /\(compatible; *([^\s;/)]+)/.exec(userAgent)?.[1];
	return compatible ?? /^[^\s/]*/.exec(userAgent)?.[0] ?? userAgent;
}
