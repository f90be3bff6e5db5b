import { outageOf } from './outage.ts';
import type { PageError } from './page.ts';

/** A failure of a proxy, as its page is given up for it. */
export interface ProxyFailure {
	reason: string;
	outage: PageError['outage'];
}

/** Whether a text is the http or https URL of a proxy: it has no path, and nothing that a URL leaves out. */
export function isProxyUrl(text: string): boolean {
	const url = URL.parse(text);
	if (!url || /[\s\p{Cc}]/u.test(text)) return false;
	const { protocol, username, password, pathname, search, hash } = url;
	const isBare = pathname === '/' && search === '' && hash === '';
	return isBare && /^https?:$/.test(protocol) && isDecodable(username) && isDecodable(password);
}

function isDecodable(encoded: string): boolean {
	try {
		decodeURIComponent(encoded);
		return true;
	} catch {
		return false;
	}
}

/** The user name and the password in a proxy's URL, as the proxy is to get them. */
export function proxyUser(proxy: string): { username: string; password: string } {
	const { username, password } = new URL(proxy);
	return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** The proxy let nobody through: it answered with this HTTP status instead of a site. */
export function proxyRefusal(proxy: string, httpStatus: number): ProxyFailure {
	const outage = outageOf(httpStatus, null);
	if (httpStatus !== 407) {
		return { reason: `${proxyName(proxy)} answered with HTTP status ${httpStatus}`, outage };
	}
	const isNamed = new URL(proxy).username !== '';
	const why = isNamed
		? 'refused the user name and the password of "proxy" (HTTP status 407): correct them in the task, or in SERVICE_REGION_PROXIES'
		: 'wants a user name and a password (HTTP status 407): put them into "proxy", before its host';
	return { reason: `${proxyName(proxy)} ${why}`, outage };
}

/** The proxy could not be reached, or did not reach the site. */
export function proxyOutage(
	proxy: string,
	said: string,
	outage: PageError['outage'],
): ProxyFailure {
	return { reason: `${proxyName(proxy)} could not be used: ${said}`, outage };
}

/** What is said behind an answer that a proxy may have given itself; nothing without one. */
export function throughProxy(proxy: string | undefined): string {
	return proxy === undefined ? '' : `, through ${proxyName(proxy)}`;
}

/** Without its user and password, which belong into no message. */
export function proxyName(proxy: string): string {
	return `the proxy ${new URL(proxy).host}`;
}
