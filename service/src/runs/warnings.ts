import { z } from 'zod';
import { maxKeptLines, type BatchLogStore } from '../store/batchLogStore.ts';

/** What the log warns of: no page has failed, and yet rows may be missing, or there more than once. */
export interface Warning {
	message: string;
	reason: string;
	/** Where that was seen last. */
	url: string;
	times: number;
}

/** What a step found odd on a page, as its line in the log says; a page that is tried again has no address there. */
const oddity = z.object({ url: z.string(), reason: z.string() });
export type Oddity = z.infer<typeof oddity>;

/** What the log of a batch warns of, once each: the newest first. */
export async function warningsOf(logs: BatchLogStore, batchID: bigint): Promise<Warning[]> {
	const { lines } = await logs.newest(batchID, maxKeptLines);
	const warnings = new Map<string, Warning>();
	for (const { level, message, details } of lines) {
		if (level !== 'warn') continue;
		const said = oddity.safeParse(JSON.parse(details));
		if (!said.success) continue;
		const { url, reason } = said.data;
		const known = warnings.get(`${message} ${reason}`);
		if (known) known.times += 1;
		else warnings.set(`${message} ${reason}`, { message, reason, url, times: 1 });
	}
	return [...warnings.values()];
}

const lonePage = oddity.extend({ isNeverFound: z.literal(true) });

/** The loops by page of a batch, by their first page, that found nothing there to lead on: it may be called otherwise. */
export async function lonePagesOf(logs: BatchLogStore, batchID: bigint): Promise<Oddity[]> {
	const { lines } = await logs.newest(batchID, maxKeptLines);
	return lines.flatMap(({ details }) => {
		const said = lonePage.safeParse(JSON.parse(details));
		return said.success ? [{ url: said.data.url, reason: said.data.reason }] : [];
	});
}
