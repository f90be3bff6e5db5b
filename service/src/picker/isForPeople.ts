import { ServiceError } from '../errors/serviceError.ts';
import { PageError } from '../pages/page.ts';

/** Whether an error says to whoever points what cannot be done. */
export function isForPeople(error: unknown): error is PageError | ServiceError {
	return error instanceof PageError || error instanceof ServiceError;
}
