import type { FailureKind, ServiceError } from '../errors/serviceError.ts';

/**
 * The error codes of section 7. The specification leaves the HTTP status of failed requests open: these
 * are our choice.
 */
const answers: Record<FailureKind, { code: number; httpStatus: number }> = {
	unreadable: { code: 9000000, httpStatus: 400 },
	tooLarge: { code: 9000000, httpStatus: 413 },
	invalid: { code: 9000001, httpStatus: 400 },
	badRequest: { code: 9000002, httpStatus: 400 },
	forbidden: { code: 9000002, httpStatus: 403 },
	conflict: { code: 9000002, httpStatus: 409 },
	failed: { code: 9000002, httpStatus: 500 },
	unauthorized: { code: 9000003, httpStatus: 401 },
	tooManyTries: { code: 9000003, httpStatus: 429 },
	notFound: { code: 9000004, httpStatus: 404 },
};

export function httpStatusOf({ kind }: ServiceError): number {
	return answers[kind].httpStatus;
}

/** The same for a code, which several kinds may have; 200 for that of success. */
export function httpStatusOfCode(code: number): number {
	if (code === 0) return 200;
	return Object.values(answers).find((answer) => answer.code === code)?.httpStatus ?? 400;
}

/** What a failed request is answered with (section 2.1). */
export function failureEnvelope({ kind, message }: ServiceError) {
	return { code: answers[kind].code, msg: message, data: null };
}
