import type { MayAsk } from '../pages/page.ts';
import { hostToAsk } from '../pages/hostOf.ts';

/**
 * Makes a request that redirects may lead from host to host, in legs: each of them asks one host, in a turn of its
 * own that `inTurn` waits for, when the one before is over. So nobody keeps a host while waiting for another one.
 * Throws what `request` throws, or `inTurn`, and a PageError where no host can be asked.
 */
export async function inLegs(
	url: string,
	request: (mayAsk: MayAsk) => Promise<void>,
	inTurn: (url: string, leg: () => Promise<void>) => Promise<void>,
): Promise<void> {
	let elsewhere = Promise.withResolvers<string>();
	let waiting: PromiseWithResolvers<void> | undefined;
	let running: Promise<undefined> | undefined;
	let host = hostToAsk(url);
	const mayAsk = async (next: string) => {
		const nextHost = hostToAsk(next);
		if (nextHost === host) return;
		host = nextHost;
		waiting = Promise.withResolvers();
		elsewhere.resolve(next);
		await waiting.promise;
	};
	try {
		for (let next: string | undefined = url; next !== undefined;) {
			await inTurn(next, async () => {
				elsewhere = Promise.withResolvers();
				if (waiting) waiting.resolve();
				else running = request(mayAsk).then(() => undefined);
				next = await Promise.race([running, elsewhere.promise]);
			});
		}
	} catch (error) {
		// What waits for a turn that does not come any more ends as well.
		waiting?.reject(error);
		throw error;
	}
}
