import { Cookie, CookieJar, getPublicSuffix } from 'tough-cookie';

/** What asks for a page, as far as that decides which cookies go with it. */
interface Asking {
	/** The cookies that the task gives, as their header has them: until the site sets others of their names. */
	given: string | undefined;
	/** The page that leads there; undefined: none does. */
	from: string | undefined;
	/** By a form that is sent by POST. */
	isPosted: boolean;
}

/** The cookies that sites leave with a page. */
export class Cookies {
	// Browsers take a cookie without a name as well.
	readonly #jar = new CookieJar(undefined, { looseMode: true });

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
			const { sameSite, secure } = Cookie.parse(each, { loose: true }) ?? {};
			if (sameSite === 'none' && !secure) continue;
			this.#jar.setCookieSync(each, url, { ignoreError: true });
		}
	}
}

function isSameSite(one: URL, other: URL): boolean {
	const siteOf = ({ hostname }: URL) =>
		getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true }) ?? hostname;
	return one.protocol === other.protocol && siteOf(one) === siteOf(other);
}
