import { Cookie, CookieJar, getPublicSuffix, MemoryCookieStore } from 'tough-cookie';

/** What asks for a page, as far as that decides which cookies go with it. */
interface Asking {
	/** The cookies that the task gives, as their header has them: until the site sets others of their names. */
	given: string | undefined;
	/** The page that leads there; undefined: none does. */
	from: string | undefined;
	/** By a form that is sent by POST. */
	isPosted: boolean;
}

/** As in Chromium: characters of the name and value of a cookie, and how many are kept of a site, and of all. */
const most = { characters: 4_096, ofSite: 180, ofAll: 3_300 };

/** The cookies that sites leave with a page. */
export class Cookies {
	readonly #store = new MemoryCookieStore();
	// Browsers take a cookie without a name as well.
	readonly #jar = new CookieJar(this.#store, { looseMode: true });

	/** The header by which they go to the site of an address; where there are none, there is none. */
	header(url: string, { given, from, isPosted }: Asking): { cookie?: string } {
		const isFromHere = from === undefined || isSameSite(new URL(from), new URL(url));
		const sameSiteContext = isFromHere ? 'strict' : isPosted ? 'none' : 'lax';
		const kept = this.#jar.getCookiesSync(url, { sameSiteContext, sort: true });
		const names = new Set(kept.map(({ key }) => key));
		const others = (given ?? '')
			.split(';')
			.map((each) => each.trim())
			.filter((each) => each !== '' && !names.has(each.split('=')[0]?.trim() ?? ''));
		const cookie = [...kept.map((each) => each.cookieString()), ...others].join('; ');
		return cookie === '' ? {} : { cookie };
	}

	/** Takes what the site of an address has set; what is no cookie, browsers do not take either. */
	take(url: string, said: string[]): void {
		for (const each of said) {
			const cookie = Cookie.parse(each, { loose: true });
			if (!cookie || cookie.key.length + cookie.value.length > most.characters) continue;
			if (cookie.sameSite === 'none' && !cookie.secure) continue;
			this.#jar.setCookieSync(each, url, { ignoreError: true });
		}
		if (said.length > 0) this.#forget();
	}

	/** Those that were not sent for longest go, beyond as many as are kept. */
	#forget(): void {
		// It answers at once.
		this.#store.getAllCookies((_error, all = []) => {
			if (all.length <= most.ofSite) return;
			const times = new Map<string, number>();
			const latest = all.toSorted((one, other) => usedAt(other) - usedAt(one));
			for (const [index, { domain, path, key }] of latest.entries()) {
				if (domain === null || path === null) continue;
				const site = siteOf(domain);
				const count = (times.get(site) ?? 0) + 1;
				times.set(site, count);
				if (count <= most.ofSite && index < most.ofAll) continue;
				this.#store.removeCookie(domain, path, key, () => undefined);
			}
		});
	}
}

function isSameSite(one: URL, other: URL): boolean {
	return one.protocol === other.protocol && siteOf(one.hostname) === siteOf(other.hostname);
}

function siteOf(host: string): string {
	return getPublicSuffix(host, { allowSpecialUseDomain: true, ignoreError: true }) ?? host;
}

function usedAt({ lastAccessed }: Cookie): number {
	return lastAccessed instanceof Date ? lastAccessed.getTime() : 0;
}
