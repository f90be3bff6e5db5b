import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { tellParent } from './child.ts';
import type { Delay } from './network.ts';

/**
 * Passes connections on to the service, each request later by so many milliseconds: the time to the
 * service and back. Bandwidth is not limited.
 */
async function listen(port: number, { milliseconds, handshake }: Delay): Promise<number> {
	const server = createServer({ noDelay: true }, (client) => {
		const service = connect({ port, host: '127.0.0.1', noDelay: true });
		for (const [one, other] of [
			[client, service],
			[service, client],
		]) {
			one.on('error', () => other.destroy());
			one.on('close', () => other.end());
		}
		service.pipe(client, { end: false });
		passOnLater(client, service, milliseconds, handshake ? 2 * milliseconds : milliseconds);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** What comes first waits for the handshake, too, where that is counted. Order is kept. */
function passOnLater(from: Socket, to: Socket, delay: number, firstDelay: number): void {
	let before = Promise.resolve();
	let milliseconds = firstDelay;
	from.on('data', (chunk) => {
		const due = wait(milliseconds);
		milliseconds = delay;
		before = before.then(async () => {
			await due;
			if (to.writable) to.write(chunk);
		});
	});
}

const [port, delays] = process.argv.slice(2);
const ports: number[] = [];
for (const delay of JSON.parse(delays) as Delay[]) ports.push(await listen(Number(port), delay));
process.on('disconnect', () => process.exit(0));
tellParent(ports);
