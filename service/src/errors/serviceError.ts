/**
 * Why something that was asked for is not done:
 * - `unreadable`, `tooLarge`: what was sent cannot be read; `invalid`: a value in it is out of range
 * - `badRequest`: it cannot be done, whatever the reason is; `conflict`: not as things stand
 * - `unauthorized`, `tooManyTries`, `forbidden`: not for whoever asks
 * - `notFound`: what it is about is not there
 * - `failed`: the service cannot do its part
 */
export type FailureKind =
	| 'unreadable'
	| 'tooLarge'
	| 'invalid'
	| 'badRequest'
	| 'conflict'
	| 'unauthorized'
	| 'tooManyTries'
	| 'forbidden'
	| 'notFound'
	| 'failed';

/** What was asked for is not done. The message is for people; each face says the kind in its own way. */
export class ServiceError extends Error {
	readonly kind: FailureKind;

	constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
		super(message, options);
		this.kind = kind;
	}
}

/**
 * What whoever asks is told of whatever was thrown. What is none of their doing is said in the log alone,
 * unless it is about the database, whose owner can help.
 */
export function serviceErrorOf(error: Error & Thrown): ServiceError {
	if (error instanceof ServiceError) return error;
	const { code, statusCode = 500, message } = error;
	if (statusCode >= 400 && statusCode < 500) {
		const kind = statusCode === 413 ? 'tooLarge' : 'unreadable';
		return new ServiceError(kind, unreadable.get(code) ?? message);
	}
	if (code === sqliteFailed) {
		const said = `The database cannot be used: ${message}. See to its disk, then try again.`;
		return new ServiceError('failed', said);
	}
	if (code === 'ERR_DATABASE_AWAY') {
		const said = `The database cannot be reached: ${message}. Try again when it is back.`;
		return new ServiceError('failed', said);
	}
	if (code === 'ERR_DATABASE_REFUSES') {
		const said = `The database refuses this: ${message}. See to PostgreSQL, then try again.`;
		return new ServiceError('failed', said);
	}
	if (code === 'ERR_PERHAPS_STORED') {
		const said = `The database was lost: ${message}. Whether this was done is not known: when it is back, look, before you try again.`;
		return new ServiceError('failed', said);
	}
	return new ServiceError('failed', 'The service failed. Its log says why.');
}

/** Whether SQLite has failed, perhaps for want of room. */
export function isOfSqlite(error: Error & Thrown): boolean {
	const { code, cause } = error;
	return code === sqliteFailed || (cause instanceof Error && isOfSqlite(cause));
}

const sqliteFailed = 'ERR_SQLITE_ERROR';

/** What errors of the server, of which a status says whose fault they are, and of the database carry. */
interface Thrown {
	code?: string;
	statusCode?: number;
}

/** What the server says in its own words of a body that it cannot read. */
const unreadable = new Map<string | undefined, string>([
	[
		'FST_ERR_CTP_INVALID_MEDIA_TYPE',
		'The body must be JSON: send the header content-type: application/json.',
	],
	['FST_ERR_CTP_EMPTY_JSON_BODY', 'The body is empty; it must be a JSON object.'],
	['FST_ERR_CTP_BODY_TOO_LARGE', 'The body is too large; the API takes 16 MiB.'],
]);
