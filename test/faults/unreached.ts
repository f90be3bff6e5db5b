import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';

const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** The requests of this process to an address where nobody answers: Node.js tells of each. */
export class UnreachedRequests {
	count = 0;

	private readonly host: string;

	constructor(
		baseUrl: string,
		private readonly onFirst = () => {},
	) {
		this.host = new URL(baseUrl).host;
		subscribe('http.client.request.error', this.note);
	}

	stop(): void {
		unsubscribe('http.client.request.error', this.note);
	}

	private readonly note = (message: unknown): void => {
		if (typeof message !== 'object' || message === null) return;
		const { request, error }: { request?: unknown; error?: unknown } = message;
		if (!(request instanceof ClientRequest) || request.getHeader('host') !== this.host) return;
		if (typeof error !== 'object' || error === null || !('code' in error)) return;
		if (!NEVER_CONNECTED.includes(String(error.code))) return;
		this.count++;
		if (this.count === 1) this.onFirst();
	};
}
