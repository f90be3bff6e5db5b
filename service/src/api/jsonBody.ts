import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { ServiceError } from '../errors/serviceError.ts';
import { structureOf } from '../text/jsonStructure.ts';

/** Values of a body: those of the API have some ten, of which one may be a text of megabytes. */
const maxValues = 20_000;

/** Reads JSON as Fastify does, but nothing that holds up others by its structure: each of its values costs time. */
export function jsonParser(server: FastifyInstance): FastifyBodyParser<string> {
	const parse = server.getDefaultJsonParser('error', 'error');
	return (request, body, done) => {
		const { parts, texts } = structureOf(body);
		if (parts + texts > maxValues) return done(tooManyValues);
		return parse(request, body, done);
	};
}

const tooManyValues = new ServiceError(
	'tooLarge',
	'The body has too many values; the API takes 20,000.',
);
