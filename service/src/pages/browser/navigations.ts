import type { Request } from 'playwright-core';
import { isAborted, isEmptyAnswer } from './failures.ts';
import { firstAddressOf, isPosted } from './pageAnswer.ts';

/** A request for a page in a tab. */
export interface Navigation {
	request: Request;
	/** The one that was made first, of one that is made again. */
	origin: Request;
	failure?: string;
	/** Whether it was stopped while its document came. */
	isStopped?: boolean;
}

/** The pages that an action has set off in a tab; one that ends without a page leaves the one before it open. */
export class Navigations {
	#all: Navigation[] = [];

	/** An action begins. */
	begin(): void {
		this.#all = [];
	}

	/** A page is asked for; `origin`: as in `Navigation`. */
	begun(request: Request, origin: Request): void {
		const from = request.redirectedFrom();
		this.#all = this.#all.filter((each) => each.request !== from);
		this.#all.push({ request, origin });
	}

	of(request: Request): Navigation | undefined {
		return this.#all.find((each) => each.request === request);
	}

	/** Returns how it has failed. */
	ended(navigation: Navigation): string | undefined {
		const failure = navigation.request.failure()?.errorText;
		// A download, say, or an answer without a page: the page stays.
		if (isAborted(failure)) {
			this.#all = this.#all.filter((each) => each !== navigation);
			return undefined;
		}
		if (failure !== undefined) navigation.failure = failure;
		return failure;
	}

	get last(): Navigation | undefined {
		return this.#all.at(-1);
	}

	/** Why the page that was opened last is none, or not whole: what is there of it does not come to an end. */
	get failure(): string | undefined {
		const failure = this.last?.failure;
		return failure === undefined || isEmptyAnswer(failure) ? undefined : failure;
	}

	/** The address that was asked for, by which that has come, perhaps by way of others, or of pages that sent on. */
	get askedAddress(): string | undefined {
		const [first] = this.#all;
		return first && firstAddressOf(first.request);
	}

	/** Whether a page was opened that no sent form has made. */
	get openedByAddress(): boolean {
		return this.last !== undefined && !isPosted(this.last.origin);
	}

	/** Whether it was asked for by a GET in the end, be it the answer to a sent form that has led there: so it comes again. */
	get openedByGet(): boolean {
		return this.last?.request.method() === 'GET';
	}
}
