import type { FastifyRequest } from 'fastify';

/** The origins by which browsers know a service. */
export interface KnownOrigins {
	/** Of what SERVICE_ALLOWED_HOSTS says. */
	allowedHosts: { origins: string[] };
	/** What SERVICE_ADDRESS says. */
	address?: string;
}

/** The hosts, with their ports, by which browsers know a service by https alone. */
export function httpsHosts({ allowedHosts: { origins }, address }: KnownOrigins): string[] {
	return [...origins, ...(address === undefined ? [] : [address])]
		.filter((origin) => origin.startsWith('https:'))
		.map((origin) => new URL(origin).host);
}

/** Whether a browser has sent a request by https, as far as a service behind a proxy can tell: by its host, or its origin. */
export function isByHttps(
	{ host, headers: { origin } }: FastifyRequest,
	known: KnownOrigins,
): boolean {
	const hosts = httpsHosts(known);
	const from = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined;
	return hosts.includes(host) || (from?.protocol === 'https:' && hosts.includes(from.host));
}
