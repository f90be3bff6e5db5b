import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { listen } from './startSite';

/** What stands in front of several processes of a service: each request goes to the next one. */
export interface Front {
	baseUrl: string;
	/** From now on to these. */
	lead(addresses: string[]): void;
	stop(): Promise<void>;
}

/** Starts one, on loopback. */
export async function startFront(): Promise<Front> {
	let behind: string[] = [];
	let asked = 0;
	const server = createServer({ keepAliveTimeout: 60_000 }, (asking, answer) => {
		const address = behind[asked % behind.length];
		asked += 1;
		const { method, headers, url = '' } = asking;
		const forwarded = request(`${address}${url}`, { method, headers }, (came) => {
			answer.writeHead(came.statusCode ?? 502, came.headers);
			came.on('error', () => answer.destroy());
			came.pipe(answer);
		});
		forwarded.on('error', () => answer.destroy());
		answer.on('close', () => forwarded.destroy());
		asking.pipe(forwarded);
	});
	const ownPort = await listen(server);
	return {
		baseUrl: `http://127.0.0.1:${ownPort}`,
		lead(addresses) {
			behind = addresses;
		},
		async stop() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}
