import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { PageError } from '../pages/page.ts';
import { ApiError, errorCode } from './errors.ts';

/** Keywords of JSON schema that are about the kind of a value; the others are about its range. */
const kindKeywords = new Set(['type', 'required', 'pattern']);

/** What the caller of a failed request is told about whatever was thrown. */
export function toApiError(error: FastifyError | ApiError): ApiError {
	if (error instanceof ApiError) return error;
	// What a page that is pointed at does not do is no failure of the service.
	if (error instanceof PageError) return new ApiError(errorCode.badRequest, error.message, 409);
	if (error.validation) return fromValidation(error.validation);
	if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
		const isTooLarge = error.statusCode === 413;
		return new ApiError(errorCode.unreadable, unreadable(error), isTooLarge ? 413 : undefined);
	}
	if (error.code === 'ERR_SQLITE_ERROR') {
		const said = `The database cannot be used: ${error.message}. See to its disk, then try again.`;
		return new ApiError(errorCode.badRequest, said, 500);
	}
	return new ApiError(errorCode.badRequest, 'The service failed. Its log says why.', 500);
}

function fromValidation(errors: FastifySchemaValidationError[]): ApiError {
	const kind = errors.find(({ keyword }) => kindKeywords.has(keyword));
	const mistake = kind ?? errors[0];
	const message = mistake ? describe(mistake) : 'The parameters are wrong.';
	return new ApiError(kind ? errorCode.unreadable : errorCode.invalid, message);
}

function describe({
	keyword,
	instancePath,
	params,
	message,
}: FastifySchemaValidationError): string {
	const name = instancePath.slice(1).replaceAll('/', '.');
	if (keyword === 'required') return `${String(params.missingProperty)} is missing.`;
	if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
		return `${name} must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}.`;
	}
	if (keyword === 'pattern') return `${name} must be an integer.`;
	return `${name || 'The body'} ${message ?? 'is wrong'}.`;
}

function unreadable({ code, message }: FastifyError): string {
	switch (code) {
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return 'The body must be JSON: send the header content-type: application/json.';
		case 'FST_ERR_CTP_EMPTY_JSON_BODY':
			return 'The body is empty; it must be a JSON object.';
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			return 'The body is too large; 16 MiB are allowed.';
		default:
			return message;
	}
}
