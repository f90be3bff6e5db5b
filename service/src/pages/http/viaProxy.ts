import { Pool, ProxyAgent, type Agent, type Dispatcher } from 'undici';
import { networkOutage } from '../outage.ts';
import { proxyOutage, proxyRefusal, type ProxyFailure } from '../proxy.ts';
import { forwardingTo } from './forwarding.ts';

/** Connections through a proxy: http addresses are forwarded by it, https ones get a tunnel (CONNECT). */
export function proxyAgent(proxy: string, options: Agent.Options): ProxyAgent {
	return new ProxyAgent({
		...options,
		uri: proxy,
		clientFactory: (origin, options) => new Pool(origin, options).compose(refusingTunnels),
	});
}

/** What an error of a request says of the proxy; undefined if the proxy is not to blame for it. */
export function proxyFailureIn(error: unknown, proxy: string): ProxyFailure | undefined {
	if (!(error instanceof Error)) return undefined;
	if (error instanceof TunnelRefused) return proxyRefusal(proxy, error.httpStatus);
	// undici's words for that answer to a request that the proxy was to forward.
	if (error.message.startsWith('Proxy Authentication Required')) return proxyRefusal(proxy, 407);
	return isConnecting(error)
		? proxyOutage(proxy, error.message || codeOf(error), networkOutage(error))
		: undefined;
}

/** The proxy answered the wish for a tunnel with something else. */
class TunnelRefused extends Error {
	readonly httpStatus: number;

	constructor(httpStatus: number) {
		super(`HTTP status ${httpStatus}`);
		this.httpStatus = httpStatus;
	}
}

/** Says what the proxy answered: undici itself only says that the request was cancelled. */
function refusingTunnels(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
	return (options, handler) =>
		dispatch(options, {
			...forwardingTo(handler),
			onRequestUpgrade(controller, httpStatus, headers, socket) {
				if (httpStatus === 200) {
					handler.onRequestUpgrade?.(controller, httpStatus, headers, socket);
					return;
				}
				socket.on('error', () => undefined).destroy();
				handler.onResponseError?.(controller, new TunnelRefused(httpStatus));
			},
		});
}

/** Whoever has a proxy connects to nobody else. */
function isConnecting(error: Error): boolean {
	if (error instanceof AggregateError) return error.errors.some(isConnectionError);
	return isConnectionError(error);
}

function isConnectionError(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_PRX_(CONN|TLS))/.test(codeOf(error))) return true;
	return 'syscall' in error && /^(connect|getaddrinfo)$/.test(String(error.syscall));
}

function codeOf(error: Error): string {
	return 'code' in error ? String(error.code) : error.name;
}
