import { join } from 'node:path';
import { Child } from './child.ts';

/** How far away the service is. */
export interface Delay {
	/** Milliseconds to the service and back, for each request. */
	milliseconds: number;
	/** The same once more for each new connection, as TCP's handshake takes. */
	handshake: boolean;
}

export interface DelayedService {
	delay: Delay;
	baseUrl: string;
}

/** Puts the service at several distances, by a proxy that is a process of its own. */
export async function delayService(baseUrl: string, delays: Delay[]) {
	const { child, ready } = await Child.start(join(import.meta.dirname, 'delayingProxy.ts'), [
		new URL(baseUrl).port,
		JSON.stringify(delays),
	]);
	const ports = Array.isArray(ready) ? ready.map(Number) : [];
	const services: DelayedService[] = delays.map((delay, index) => ({
		delay,
		baseUrl: `http://127.0.0.1:${ports[index]}`,
	}));
	return { services, stop: async () => await child.stop() };
}

/** A server that gives the service's answers from memory: what is left is the client's own time. */
export async function rememberService(baseUrl: string) {
	const { child, ready } = await Child.start(join(import.meta.dirname, 'rememberingServer.ts'), [
		baseUrl,
	]);
	return { baseUrl: `http://127.0.0.1:${Number(ready)}`, stop: async () => await child.stop() };
}
