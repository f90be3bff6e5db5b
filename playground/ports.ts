import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that systems hand out by themselves (Linux from 32768, macOS and Windows from
 * 49152): programs take seconds to listen, and until then nobody else may be given their port.
 */
const first = 20_000;
const last = 32_767;
/** What has been looked at: a port that was given out may not be in use yet. */
const given = new Set<number>();

/** `wanted` if nobody listens there, or else another free port of the loopback interface. */
export async function freePort(wanted?: number): Promise<number> {
	if (wanted !== undefined && (await isFree(wanted))) return wanted;
	while (given.size <= last - first) {
		const port = randomInt(first, last + 1);
		if (given.has(port)) continue;
		given.add(port);
		if (await isFree(port)) return port;
	}
	throw new Error(`No port from ${first} to ${last} is free`);
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

/** Whether a program could listen there now; the reason why not is of no use to anybody. */
function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			server.close(() => resolve(true));
		});
	});
}
