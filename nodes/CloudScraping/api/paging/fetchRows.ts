import { cancelledBy } from '../cancel';
import type { Connection } from '../connection';
import { asPageRefusal, asRefusalBehind } from '../errors';
import { callApi } from '../request';
import { readPage } from '../wire';
import type { Page, WireInteger } from '../wire';
import { Pace } from './pace';
import type { FetchPage } from './page';

/** What is read of a batch, apart from the page. */
export interface RowsRequest {
	batchID: WireInteger;
	/** The service truncates long values. */
	preview: boolean;
	/** The key of the service's own deduplication; the service remembers what it has sent for it. */
	deduplicationID?: string;
}

/** What the user must know when a read fails that the service remembers (section 4.4). */
export function lostRows(deduplicationID: string): string {
	return `Some rows may be lost for the deduplication ID "${deduplicationID}": the service won't send them again for it. Read once more with a new deduplication ID.`;
}

/** Asks for pages of `GET /cloud/data` (section 4.4): rows as the service sent them. */
export function fetchRows(
	connection: Connection,
	{ batchID, preview, deduplicationID }: RowsRequest,
): FetchPage<unknown> {
	const repeatable = deduplicationID === undefined ? 'always' : 'unlessSent';
	const deduplication: Record<string, string | boolean> =
		deduplicationID === undefined ? {} : { deduplication: true, deduplicationID };
	const { schedule } = new Pace();
	return async (page, size, signal) =>
		await callApi<Page<unknown>>(signal ? cancelledBy(connection, signal) : connection, {
			method: 'GET',
			path: '/cloud/data',
			query: { page, size, batchID, preview, ...deduplication },
			repeatable,
			...(deduplicationID === undefined && { schedule }),
			read: (data) => readPage(data, (row) => row ?? null),
			...(deduplicationID !== undefined && {
				doubt: lostRows(deduplicationID),
			}),
		}).catch(async (error: Error) =>
			page > 1 && deduplicationID === undefined
				? await asRefusalBehind(error)
				: await asPageRefusal(error, repeatable),
		);
}
