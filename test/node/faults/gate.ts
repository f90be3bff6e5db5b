import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

import { closedPort } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

/** An address of a service at which it can be away for a while: nothing listens there then. */
export class Gate {
	readonly #baseUrl: string;
	readonly #destination: string;
	readonly #sockets = new Set<Socket>();
	#server: Server | undefined;

	private constructor(baseUrl: string, destination: string) {
		this.#baseUrl = baseUrl;
		this.#destination = destination;
	}

	/** An open gate, through which whoever has the service's credential goes from now on. */
	static async before({ baseUrl, credential }: ScriptedService): Promise<Gate> {
		const gate = new Gate(await closedPort(), baseUrl);
		gate.open();
		credential.baseUrl = gate.#baseUrl;
		return gate;
	}

	open(): void {
		if (this.#server) return;
		this.#server = createServer((socket) => this.#lead(socket, connect(portOf(this.#destination))));
		this.#server.listen(portOf(this.#baseUrl), '127.0.0.1');
	}

	close(): void {
		this.#server?.close();
		this.#server = undefined;
		for (const socket of this.#sockets) socket.destroy();
	}

	#lead(...sockets: [Socket, Socket]): void {
		const [visitor, service] = sockets;
		for (const socket of sockets) {
			this.#sockets.add(socket);
			socket.on('error', () => sockets.forEach((end) => end.destroy()));
			socket.on('close', () => this.#sockets.delete(socket));
		}
		visitor.pipe(service).pipe(visitor);
	}
}

function portOf(baseUrl: string): number {
	return Number(new URL(baseUrl).port);
}
