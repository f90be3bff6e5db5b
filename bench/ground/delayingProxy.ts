import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { tellParent } from './child.ts';

/**
 * Passes connections on to the service, each request later by so many milliseconds: the time to the
 * service and back. Bandwidth is not limited, and a new connection costs no time of its own.
 */
const [port, milliseconds] = process.argv.slice(2).map(Number);

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
	passOnLater(client, service);
});

/** Order is kept. */
function passOnLater(from: Socket, to: Socket): void {
	let before = Promise.resolve();
	from.on('data', (chunk) => {
		const due = wait(milliseconds);
		before = before.then(async () => {
			await due;
			if (to.writable) to.write(chunk);
		});
	});
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.on('disconnect', () => process.exit(0));
tellParent((server.address() as AddressInfo).port);
