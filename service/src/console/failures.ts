import type { FastifyError, FastifyInstance } from 'fastify';
import { ServiceError, serviceErrorOf, type FailureKind } from '../errors/serviceError.ts';
import { PageError } from '../pages/page.ts';
import { errorPage, sendPage } from './layout.ts';

const httpStatuses: Record<FailureKind, number> = {
	unreadable: 400,
	tooLarge: 413,
	invalid: 400,
	badRequest: 400,
	conflict: 409,
	unauthorized: 401,
	tooManyTries: 429,
	forbidden: 403,
	notFound: 404,
	failed: 500,
};

export function httpStatusOf({ kind }: ServiceError): number {
	return httpStatuses[kind];
}

/** People get a page that says what has failed, not the envelope of the API. */
export function answerFailures(server: FastifyInstance): void {
	server.setErrorHandler<FastifyError | PageError>((error, request, reply) => {
		// What a page that is pointed at does not do is no failure of the service.
		const isOfPage = error instanceof PageError;
		const failure = isOfPage ? new ServiceError('conflict', error.message) : serviceErrorOf(error);
		const { kind, message } = failure;
		if (kind === 'failed') request.log.error(error);
		const title = kind === 'notFound' ? nothingHere : 'This did not work';
		const page = errorPage(title, message, kind === 'forbidden');
		return sendPage(reply.code(httpStatusOf(failure)), page);
	});
	server.setNotFoundHandler((_request, reply) => {
		const message = 'The address may be misspelt, or what was here is gone.';
		return sendPage(reply.code(404), errorPage(nothingHere, message));
	});
}

const nothingHere = 'There is nothing here';
