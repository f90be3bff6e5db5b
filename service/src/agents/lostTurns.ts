import { PageError, type Missing, type Page } from '../pages/page.ts';
import { sentAgain } from './doubts.ts';

/** Clicks on "next" that have brought no page, in a loop by page. */
export class LostTurns {
	readonly #page: Page;
	/** Those that have brought nothing so far: their page may come yet, later than the next click. */
	owed = 0;
	/** Those among them that were refused. */
	#refused = 0;
	/** Why the last one has brought nothing, where that may be over soon; and the data that it lacks. */
	failure: PageError | undefined;
	#missing: Missing | undefined;
	/** Why one has brought no page, though the site may have counted it. */
	#answer: { error: PageError; missing?: Missing | undefined } | undefined;

	constructor(page: Page) {
		this.#page = page;
	}

	/** Whether the data of any of them was refused. */
	get isRefused(): boolean {
		return this.#refused > 0;
	}

	/** One was clicked, and the page is looked at. */
	begin(): void {
		this.failure = this.#missing = undefined;
	}

	/** It has brought no page. */
	async note(error: unknown, isOpen: () => boolean): Promise<void> {
		if (error instanceof PageError) this.failure = error;
		this.#missing = await this.#page.missing();
		if (!isOpen()) return;
		if (error instanceof PageError && error.outage)
			this.#answer = { error, missing: this.#missing };
		[this.owed, this.#refused] = [this.owed + 1, this.#refused + 1];
	}

	/** Its page was refused. */
	noteAnswer(error: PageError): void {
		[this.#answer, this.failure] = [{ error }, error];
	}

	/** Throws where the last one has failed: what it has done to the page is there for good, and only one that comes anew has what leads on. */
	throwAnew(): void {
		if (this.failure) throw this.#missing?.failure(true) ?? this.failure;
	}

	/**
	 * Throws where a page that counts by itself how far its visitor is has gone on, though the one before that was refused:
	 * then it is gone back to, anew, and "next" is clicked up to there.
	 */
	checkPassedOver(): void {
		const missing = this.#answer?.missing;
		if (!missing || !this.#page.asked?.()?.isPassedOver) return;
		this.owed -= this.#refused;
		this.#refused = 0;
		this.#answer = undefined;
		throw missing.failure(true);
	}

	/** Why a page may be missing before the one that has come. */
	doubt({ byAddress }: { byAddress: boolean }): string | undefined {
		const refused = this.#refused;
		this.#refused = 0;
		if (!this.#answer || byAddress) return undefined;
		if (!this.#page.asked?.()?.isMadeUp) return sentAgain(this.#answer.error);
		this.owed -= refused;
		return undefined;
	}

	/** Another page has come. */
	arrive(): void {
		this.#answer = undefined;
	}
}
