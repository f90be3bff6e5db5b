import { createContext, Script } from 'node:vm';
import { PageError } from '../page.ts';

/** A script is what Node.js can end while it runs; it does nothing but call what it is given. */
const script = new Script('work()');
const globals = { work: idle };
createContext(globals);

/** Milliseconds, many times what pages take that are not made to take long. */
const timeout = 5_000;

/**
 * Works on a page for 5 seconds at most, since the service does nothing else meanwhile. Whatever
 * goes wrong is the page's failure, a PageError.
 */
export function pageWork<Result>(work: () => Result): Result {
	const results: Result[] = [];
	globals.work = () => void results.push(work());
	try {
		script.runInContext(globals, { timeout });
		return results[0];
	} catch (error) {
		if (error instanceof PageError) throw error;
		throw new PageError(
			isTimeout(error) ? `The page took over ${timeout / 1000} s of work.` : String(error),
		);
	} finally {
		globals.work = idle;
	}
}

function idle(): void {}

/** That error is one of the script's own context, where Error is another class. */
function isTimeout(error: unknown): boolean {
	return (
		typeof error === 'object' &&
		error !== null &&
		'code' in error &&
		error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
	);
}
