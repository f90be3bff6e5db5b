import type { FastifyRequest } from 'fastify';

/** The base URL of the service for n8n, as the one who asks knows it. */
export function baseUrlOf({ host }: FastifyRequest): string {
	return `http://${host}`;
}
