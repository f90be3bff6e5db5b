import { randomBytes } from 'node:crypto';

/** Milliseconds for which the link of the start lets somebody in. */
const linkLifetime = 10 * 60_000;

/** A link that lets one person into the console, soon. `now`: milliseconds of a clock that only goes on. */
export class OneTimeLink {
	#token: string | undefined = randomBytes(24).toString('base64url');
	readonly #now: () => number;
	readonly #end: number;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
		this.#end = now() + linkLifetime;
	}

	/** The console's address, with the token, below that of the service. */
	below(address: string): string {
		return `${address}/console/?token=${this.#token ?? ''}`;
	}

	/** Whether this is the token, for the first time, and in time. */
	use(token: string): boolean {
		if (token !== this.#token || this.#now() >= this.#end) return false;
		this.#token = undefined;
		return true;
	}
}
