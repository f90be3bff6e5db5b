import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { httpsHosts, type KnownOrigins } from '../settings/httpsHosts.ts';

/** The names by which a service may be asked, besides `localhost` and the addresses it listens on. */
export interface ServiceNames extends KnownOrigins {
	/** What SERVICE_HOST says. */
	host: string;
	/** What SERVICE_ALLOWED_HOSTS says: names, and whole origins by which browsers know the service. */
	allowedHosts: { names: string[]; origins: string[] };
}

/**
 * Refuses what a web page of someone else may have sent by the browser of a user: requests for another
 * host (a name that its owner has pointed to this machine, "DNS rebinding"), and writes of another
 * origin, be it another port of the same host.
 */
export function refuseForeignRequests(server: FastifyInstance, names: ServiceNames): void {
	server.addHook('onRequest', (request, _reply, done) => {
		done(mistakeIn(request, names));
	});
}

function mistakeIn(request: FastifyRequest, names: ServiceNames): ServiceError | undefined {
	const { host = '', origin, 'sec-fetch-site': fetchSite } = request.headers;
	const unknown = hostsOf(request).find(
		(each) => !isKnownHost(each, names, request.socket.localAddress),
	);
	if (unknown !== undefined) {
		return new ServiceError(
			'forbidden',
			`This service does not answer to the host "${unknown.slice(0, 100)}". If that is one of its names, add it to SERVICE_ALLOWED_HOSTS.`,
		);
	}
	const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
	if (!isWrite) return undefined;
	const isOwn =
		(origin === undefined || isOwnOrigin(origin, host, names)) &&
		(fetchSite === undefined || fetchSite === 'same-origin');
	return isOwn
		? undefined
		: new ServiceError(
				'forbidden',
				`Requests of another web site (${(origin ?? 'unnamed').slice(0, 100)}) change nothing here. If browsers know the service by that, add it to SERVICE_ALLOWED_HOSTS.`,
			);
}

/** Every host that a request names: in each of its Host headers, and where it asks for a whole address. */
function hostsOf({ headers: { host = '' }, raw }: FastifyRequest): string[] {
	// Names and values take turns.
	const named = raw.rawHeaders.filter(
		(_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
	);
	const asked = URL.parse(raw.url ?? '')?.host;
	return [...(named.length > 0 ? named : [host]), ...(asked === undefined ? [] : [asked])];
}

/**
 * Whether a Host header names the service: by what SERVICE_HOST says, by the address that was connected
 * to, as `localhost`, by what SERVICE_ADDRESS says, or by a name that is allowed. One that listens on all addresses may be asked by
 * any address: those cannot be pointed elsewhere, as names can.
 */
function isKnownHost(host: string, names: ServiceNames, address = ''): boolean {
	const name = hostName(host);
	if (name === undefined) return false;
	return (
		name === 'localhost' ||
		name === names.host.toLowerCase() ||
		name === address ||
		names.allowedHosts.names.includes(name) ||
		(names.address !== undefined && name === bare(new URL(names.address))) ||
		(wildcards.includes(names.host) && isIP(name) > 0)
	);
}

const wildcards = ['0.0.0.0', '::'];

/** The service itself speaks http; behind a proxy it has another origin for browsers, which then has to be allowed. */
function isOwnOrigin(
	origin: string,
	host: string,
	{ allowedHosts, address }: ServiceNames,
): boolean {
	if (!URL.canParse(origin)) return false;
	const asked = new URL(origin).origin;
	const isSame =
		asked === urlOf(host)?.origin && !httpsHosts({ allowedHosts, address }).includes(host);
	return isSame || asked === address || allowedHosts.origins.includes(asked);
}

/** The name or address in a Host header, without brackets and port, in lower case. */
function hostName(host: string): string | undefined {
	const url = urlOf(host);
	return url && bare(url);
}

function bare({ hostname }: URL): string {
	return hostname.replace(/^\[|\]$/g, '');
}

function urlOf(host: string): URL | undefined {
	const isPlain = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
	return isPlain ? new URL(`http://${host}`) : undefined;
}
