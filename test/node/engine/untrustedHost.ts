import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, key } from '../../support/localhostCertificate';

/** A host whose certificate nobody trusts, and how many requests have got through to it. */
export async function startUntrustedHost() {
	let requests = 0;
	const server = createServer({ cert: certificate, key }, (_request, response) => {
		requests++;
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `https://127.0.0.1:${port}`,
		requests: () => requests,
		stop: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
