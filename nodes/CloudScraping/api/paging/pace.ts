import { inTurn } from '../inTurn';

/** HTTP statuses by which a service says that it is asked for too much at once. */
const tooMuch = [429, 503];

/**
 * How the pages of one read are asked for: side by side, until the service says that this is too much for
 * it; from then on one after the other.
 */
export class Pace {
	#isAlone = false;

	/** Sends a try once it may be sent. */
	readonly schedule = async <A extends { kind: string; status?: number }>(
		sendTry: () => Promise<A>,
	): Promise<A> => {
		const attempt = await (this.#isAlone ? inTurn(this, sendTry) : sendTry());
		if (tooMuch.includes(attempt.status ?? 0)) this.#isAlone = true;
		return attempt;
	};
}
