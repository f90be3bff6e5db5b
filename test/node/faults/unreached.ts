import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';

const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** The requests of this process to an endpoint where nobody answers: Node.js tells of each. */
export class UnreachedRequests {
	count = 0;

	readonly #host: string;
	readonly #endpoint: string;
	readonly #onFirst: () => void;

	constructor(baseUrl: string, endpoint: string, onFirst = () => {}) {
		this.#host = new URL(baseUrl).host;
		this.#endpoint = endpoint;
		this.#onFirst = onFirst;
		subscribe('http.client.request.error', this.#note);
	}

	stop(): void {
		unsubscribe('http.client.request.error', this.#note);
	}

	readonly #note = (message: unknown): void => {
		if (typeof message !== 'object' || message === null) return;
		const { request, error }: { request?: unknown; error?: unknown } = message;
		if (!(request instanceof ClientRequest) || request.getHeader('host') !== this.#host) return;
		if (!request.path.startsWith(`/cloud/${this.#endpoint}`)) return;
		if (typeof error !== 'object' || error === null || !('code' in error)) return;
		if (!neverConnected.includes(String(error.code))) return;
		this.count++;
		if (this.count === 1) this.#onFirst();
	};
}
