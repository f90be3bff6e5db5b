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

/** The port that an environment variable asks for, or the usual one, or a free one if that is taken. */
export async function portFor(
	name: string,
	variable: string,
	usual: number,
	say: (text: string) => void,
): Promise<number> {
	const wanted = Number(process.env[variable] || usual);
	if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
		throw new Error(`${variable} is "${process.env[variable]}": set it to a port from 1 to 65535.`);
	}
	const port = await freePort(wanted);
	if (port !== wanted) {
		say(`Port ${wanted} is in use: ${name} gets port ${port}. To choose one, set ${variable}.`);
	}
	return port;
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
