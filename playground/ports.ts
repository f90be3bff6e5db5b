import { createServer } from 'node:net';

/** `wanted` if nobody listens there, or else another free port of the loopback interface. */
export async function freePort(wanted = 0): Promise<number> {
	try {
		return await listenOnce(wanted);
	} catch (error) {
		if (wanted === 0) throw error;
		return await listenOnce(0);
	}
}

function listenOnce(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address();
			server.close(() => {
				if (address === null || typeof address === 'string') reject(new Error('No port to read'));
				else resolve(address.port);
			});
		});
	});
}
