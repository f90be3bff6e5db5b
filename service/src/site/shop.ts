import { join } from 'node:path';
import querystring from 'node:querystring';
import fastifyFormbody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuseEndlessBodies } from '../errors/refuseEndlessBodies.ts';
import type { Html } from '../text/html.ts';
import { listing, productOf, search } from './products.ts';
import { cataloguePage, homePage, listPage, missingPage, productPage } from './shopPages.ts';

const pageSize = 12;
const pageCount = Math.ceil(listing.length / pageSize);

/** Bytes of an order: anybody may send one. */
const maxOrder = 1_024;

const files = join(import.meta.dirname, 'files');

/** The demo shop below /shop/: what the demo tasks scrape, offline. */
export async function shop(server: FastifyInstance): Promise<void> {
	await server.register(fastifyStatic, { root: files, prefix: '/shop/files/' });
	refuseEndlessBodies(server);
	await server.register(fastifyFormbody, { parser: (body) => querystring.parse(body) });

	server.get('/shop', (_request, reply) => reply.redirect('/shop/'));
	server.get('/shop/', (_request, reply) => send(reply, homePage()));
	server.get<{ Querystring: { page?: string } }>('/shop/products', ({ query }, reply) => {
		const page = Number(query.page ?? 1);
		if (!Number.isInteger(page) || page < 1 || page > pageCount) return missing(reply);
		const entries = listing.slice((page - 1) * pageSize, page * pageSize);
		return send(
			reply,
			listPage(`Products, page ${page} of ${pageCount}`, entries, {
				previous: page > 1 ? `products?page=${page - 1}` : undefined,
				next: page < pageCount ? `products?page=${page + 1}` : undefined,
			}),
		);
	});
	server.get<{ Params: { number: string } }>('/shop/products/:number', ({ params }, reply) => {
		const product = productOf(params.number);
		return product ? send(reply, productPage(product)) : missing(reply);
	});
	server.get<{ Querystring: { more?: string } }>('/shop/catalogue', ({ query }, reply) =>
		send(reply, cataloguePage({ hasButton: query.more === 'button' })),
	);
	server.get<{ Querystring: { from?: string; q?: string } }>(
		'/shop/catalogue/entries',
		({ query }) => {
			const found = search(String(query.q ?? ''), listing);
			const from = Math.max(0, Number(query.from) || 0);
			const end = from + pageSize;
			return { entries: found.slice(from, end), next: end < found.length ? end : undefined };
		},
	);
	server.get<{ Querystring: { q?: string } }>('/shop/search', ({ query }, reply) => {
		const text = String(query.q ?? '');
		return send(reply, listPage(`Search for ${text}`, search(text)));
	});
	const limits = { bodyLimit: maxOrder };
	server.post<{ Body?: { number?: string } }>('/shop/order', limits, ({ body }, reply) => {
		const number = String(body?.number ?? '');
		return productOf(number) ? reply.redirect(`/shop/products/${number}`, 303) : missing(reply);
	});
}

function send(reply: FastifyReply, page: Html): FastifyReply {
	return reply.type('text/html; charset=utf-8').send(page.toString());
}

function missing(reply: FastifyReply): FastifyReply {
	return send(reply.code(404), missingPage());
}
