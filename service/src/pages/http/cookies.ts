import { cookie } from 'http-cookie-agent/undici';
import { CookieJar } from 'tough-cookie';
import type { Dispatcher } from 'undici';

/** The same connections with a jar of their own: cookies are taken and sent at each redirect, too. */
export function withCookies(connections: Dispatcher): Dispatcher {
	// Browsers take a cookie without a name as well.
	const jar = new CookieJar(undefined, { looseMode: true });
	return connections.compose(withoutEmptyCookies, cookie({ jar }));
}

/** Where there are no cookies, a browser sends no header for them. */
function withoutEmptyCookies(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
	return (options, handler) => {
		const { headers } = options;
		if (!headers || Symbol.iterator in headers || headers.cookie !== '') {
			return dispatch(options, handler);
		}
		return dispatch({ ...options, headers: { ...headers, cookie: undefined } }, handler);
	};
}
