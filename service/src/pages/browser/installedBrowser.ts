import type { FastifyBaseLogger } from 'fastify';
import { browserMissing, findBrowser } from './findBrowser.ts';

/** The browser of this machine; without one, says what that means. `configured`: its executable. */
export async function installedBrowser(
	configured: string | undefined,
	log: FastifyBaseLogger,
): Promise<string | undefined> {
	const executable = await findBrowser(configured, process.env.PATH ?? '');
	if (executable === undefined) {
		log.warn(
			`Tasks with "page": "browser" will be refused, and their unfinished batches wait. ${browserMissing}`,
		);
	}
	return executable;
}
