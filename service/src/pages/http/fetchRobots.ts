import { outageOf } from '../outage.ts';
import { PageError, type MayAsk } from '../page.ts';
import type { RequestSettings } from '../requestSettings.ts';
import { beginningOf } from '../../text/beginningOf.ts';
import { Connection } from './connection.ts';

/** Bytes of a robots.txt that are read (RFC 9309, section 2.5). */
const maxBytes = 500 * 1024;

/**
 * The text of the robots.txt at this address; none where the site has none (section 2.3.1). Throws a
 * PageError if it is not to be had, or the reason of `signal` when that is aborted.
 */
export async function fetchRobots(
	url: string,
	settings: RequestSettings,
	{ signal, mayAsk }: { signal: AbortSignal; mayAsk?: MayAsk },
): Promise<string> {
	const connection = new Connection(settings);
	try {
		return await connection.ask(
			{ url },
			{ accept: 'text/plain,*/*;q=0.5', signal, mayAsk },
			async (answer) => {
				const { status, ok, header, body, url: answeredBy } = answer;
				if (ok) {
					const bytes = await beginningOf(body, maxBytes);
					return new TextDecoder().decode(bytes.subarray(0, maxBytes));
				}
				answer.cancel();
				const outage = outageOf(status, header('retry-after'));
				if (!outage) return '';
				throw new PageError(
					`${url} answered with HTTP status ${status}: without it, no page of the site is asked for.`,
					{ url: answeredBy, outage },
				);
			},
		);
	} finally {
		await connection.close();
	}
}
