import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A forward proxy of a test, on loopback, with a server of its own. */
export interface Proxy {
	/** `host:port`. */
	host: string;
	/** What it was asked for: `GET http://…`, `CONNECT host:port`. */
	asked: string[];
	stop(): Promise<void>;
}

/**
 * Starts a proxy that forwards http addresses and opens tunnels; with `user` (`name:password`) only for
 * who says that. `refuse`: a status that it answers everything else with, or breaks off at 0.
 */
export async function startProxy(
	{ user, refuse }: { user?: string; refuse?: number } = {},
	port = 0,
): Promise<Proxy> {
	const asked: string[] = [];
	const sockets = new Set<Socket>();
	const expected = user && `Basic ${Buffer.from(user).toString('base64')}`;
	const refusalOf = ({ headers }: IncomingMessage) =>
		expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : refuse;

	const server = createServer((asking, answer) => {
		asked.push(`${asking.method} ${asking.url}`);
		const refusal = refusalOf(asking);
		if (refusal === 0) return void asking.socket.destroy();
		if (refusal !== undefined) {
			answer.writeHead(refusal, { 'proxy-authenticate': 'Basic realm="proxy"' });
			return void answer.end('<p>refused by the proxy</p>');
		}
		const {
			'proxy-authorization': _secret,
			'proxy-connection': _kept,
			...headers
		} = asking.headers;
		const forwarded = request(asking.url ?? '', { method: asking.method, headers }, (came) => {
			answer.writeHead(came.statusCode ?? 502, came.headers);
			came.pipe(answer);
		});
		forwarded.on('error', () => answer.writeHead(502).end());
		asking.pipe(forwarded);
	});
	server.on('connect', (asking: IncomingMessage, client: Socket) => {
		asked.push(`CONNECT ${asking.url}`);
		const refusal = refusalOf(asking);
		if (refusal === 0) return void client.destroy();
		if (refusal !== undefined) {
			const challenge = 'Proxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0';
			return void client.end(`HTTP/1.1 ${refusal} Refused\r\n${challenge}\r\n\r\n`);
		}
		const [host, targetPort] = (asking.url ?? '').split(':');
		const target = connect(Number(targetPort), host, () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			client.pipe(target).pipe(client);
		});
		sockets.add(target);
		for (const [one, other] of [
			[client, target],
			[target, client],
		] as const) {
			one.on('error', () => other.destroy());
		}
	});
	server.on('connection', (socket: Socket) => sockets.add(socket));
	return { host: await listening(server, port), asked, stop: () => stopped(server, sockets) };
}

async function listening(server: Server, port: number): Promise<string> {
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
	return `127.0.0.1:${address.port}`;
}

function stopped(server: Server, sockets: Set<Socket>): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		for (const socket of sockets) socket.destroy();
	});
}
