/** HTTP statuses by which a service says that it is asked for too much at once. */
const tooMuch = [429, 503];

/**
 * How the pages of one read are asked for: side by side, until the service says that this is too much for
 * it; from then on one after the other.
 */
export class Pace {
	#isAlone = false;

	#last: Promise<unknown> = Promise.resolve();

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

	#noted<A extends { kind: string; status?: number }>(attempt: A): A {
		if (tooMuch.includes(attempt.status ?? 0)) this.#isAlone = true;
		return attempt;
	}
}
