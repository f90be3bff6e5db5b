import { once } from 'node:events';
import { WebSocket } from 'undici';
import type { RunningService } from '../support/service/startService';

/** For the environment of a service whose memory is measured. */
export const measurable = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** The memory that a service cannot give back (MiB): what is left after its garbage was collected. */
export async function memoryOf(service: RunningService): Promise<number> {
	const address = /ws:\/\/\S+/.exec(service.standardError())?.[0];
	if (!address) throw new Error('The service was started without the environment "measurable".');
	const socket = new WebSocket(address);
	await once(socket, 'open');
	await ask(socket, 'HeapProfiler.collectGarbage');
	const usage = await ask(socket, 'Runtime.getHeapUsage');
	socket.close();
	return (Number(usage.usedSize) + Number(usage.backingStorageSize)) / 1024 / 1024;
}

async function ask(socket: WebSocket, method: string): Promise<Record<string, unknown>> {
	const answered = new Promise<string>((resolve) => {
		socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true });
	});
	socket.send(JSON.stringify({ id: 1, method }));
	const { result } = JSON.parse(await answered) as { result: Record<string, unknown> };
	return result;
}
