/** A page that fails is asked for again for so long after another one has come: rows were paid for. */
const patienceMs = 30_000;

/** HTTP statuses by which a service says that it is asked for too much at once. */
const tooMuch = [429, 503];

/**
 * How the pages of one read are asked for: side by side, until the service says that this is too much for
 * it; from then on one after the other.
 */
export class Pace {
	#isAlone = false;

	#last: Promise<unknown> = Promise.resolve();

	#cameAt = -Infinity;

	/** Sends a try once it may be sent. */
	readonly schedule = async <A extends { kind: string; status?: number }>(
		sendTry: () => Promise<A>,
	): Promise<A> => {
		const send = async () => this.#noted(await sendTry());
		if (!this.#isAlone) return await send();
		const sent = this.#last.then(send);
		this.#last = sent.catch(() => {});
		return await sent;
	};

	/** Whether a page that has failed is asked for once more, however often it was. */
	readonly isPatient = (): boolean => performance.now() - this.#cameAt < patienceMs;

	#noted<A extends { kind: string; status?: number }>(attempt: A): A {
		if (attempt.kind === 'success') this.#cameAt = performance.now();
		if (tooMuch.includes(attempt.status ?? 0)) this.#isAlone = true;
		return attempt;
	}
}
