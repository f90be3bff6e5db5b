import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { listen } from './startSite';

/** What stands between two programs, and can be cut: then nothing goes through, and nobody is told. */
export interface Wire {
	/** `host:port`, for the one that connects. */
	host: string;
	cut(): void;
	/** Lets through what comes from now on; what was connected before is gone. */
	mend(): void;
	stop(): Promise<void>;
}

/** Starts one to a host and a port, on loopback. `onSent` hears what is about to be sent there. */
export async function startWire(
	host: string,
	port: number,
	onSent?: (text: string) => void,
): Promise<Wire> {
	const sockets = new Set<Socket>();
	let isCut = false;
	const server = createServer((near) => {
		const far = connect(port, host);
		if (onSent) near.on('data', (data) => onSent(data.toString('latin1')));
		for (const [one, other] of [
			[near, far],
			[far, near],
		] as const) {
			sockets.add(one);
			one.on('data', (data) => void (isCut || other.write(data)));
			one.on('error', () => other.destroy());
			one.on('close', () => {
				sockets.delete(one);
				if (!isCut) other.destroy();
			});
		}
	});
	const ownPort = await listen(server);
	return {
		host: `127.0.0.1:${ownPort}`,
		cut() {
			isCut = true;
		},
		mend() {
			isCut = false;
			for (const socket of sockets) socket.destroy();
		},
		async stop() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
