/** The error codes of section 7. */
export const errorCode = {
	unreadable: 9000000,
	invalid: 9000001,
	badRequest: 9000002,
	unauthorized: 9000003,
	notFound: 9000004,
	alreadyExists: 9000005,
} as const;

export type ErrorCode = (typeof errorCode)[keyof typeof errorCode];

/** The specification leaves the HTTP status of failed requests open: these are our choice. */
const httpStatuses: Record<ErrorCode, number> = {
	[errorCode.unreadable]: 400,
	[errorCode.invalid]: 400,
	[errorCode.badRequest]: 400,
	[errorCode.unauthorized]: 401,
	[errorCode.notFound]: 404,
	[errorCode.alreadyExists]: 409,
};

/** A request that failed, as its caller is told. `httpStatus` only where it is not the code's own. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	readonly httpStatus: number;

	constructor(code: ErrorCode, message: string, httpStatus = httpStatuses[code]) {
		super(message);
		this.code = code;
		this.httpStatus = httpStatus;
	}
}

/** What a failed request is answered with (section 2.1). */
export function failureEnvelope({ code, message }: ApiError) {
	return { code, msg: message, data: null };
}
