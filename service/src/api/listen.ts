import type { FastifyInstance } from 'fastify';

/** Where a server is to listen. */
export interface Place {
	host: string;
	/** 0: one that is free. */
	port: number;
}

/** Has a server listen; resolves to its address. Throws an Error for people. */
export async function listen(server: FastifyInstance, { host, port }: Place): Promise<string> {
	try {
		return await server.listen({ host, port, listenTextResolver: () => 'accepting connections' });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		switch (error.code) {
			case 'EADDRINUSE':
				throw new Error(
					`Port ${port} of ${host} is in use. Stop the program that uses it, or set SERVICE_PORT to another port.`,
				);
			case 'EACCES':
				throw new Error(`Port ${port} of ${host} is not allowed. Set SERVICE_PORT above 1023.`);
			default:
				throw new Error(`Cannot listen on SERVICE_HOST "${host}": ${error.message}`);
		}
	}
}
