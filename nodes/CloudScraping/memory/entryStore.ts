import type { IExecuteFunctions } from 'n8n-workflow';

import { inTurn } from '../api/inTurn';

/**
 * Entries that the store keeps; the oldest are dropped. n8n reads and writes all of them each time it is
 * asked: 300,000 are 8 MB of its database and 0.4 s.
 */
export const maxEntries = 300_000;

/** Remembers entries for a node. All that can be done is to ask, and what is asked for is remembered. */
export interface EntryStore {
	/** Those of the entries that were there before. From now on all of them are, behind the others. */
	record(entries: Iterable<string>): Promise<ReadonlySet<string>>;
	/** The same, and drops the oldest ones of all that are too many then. */
	recordAndTrim(entries: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Costs n8n a look at all that it remembers, for each of these entries. */
	remove(entries: readonly string[]): Promise<void>;
}

/** n8n's store of processed data, as it keeps it for the node of a context in its workflow. */
export function processedData({ helpers }: IExecuteFunctions): EntryStore {
	const record = async (entries: Iterable<string>, bounds = {}) => {
		const options = { mode: 'entries', ...bounds } as const;
		const asked = [...new Set(entries)];
		if (asked.length === 0) return new Set<string>();
		const { processed } = await helpers.checkProcessedAndRecord(asked, 'node', options);
		return new Set(processed.map(String));
	};
	return {
		record: async (entries) => await record(entries),
		recordAndTrim: async (entries) => await record(entries, { maxEntries }),
		async remove(entries) {
			if (entries.length === 0) return;
			await helpers.removeProcessed([...entries], 'node', { mode: 'entries' });
		},
	};
}

/**
 * Does work with the store of a node when earlier work has ended: n8n reads and writes all of it, so
 * that of two at the same time one would undo what the other has remembered.
 */
export async function exclusively<T>(
	context: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>,
	work: () => Promise<T>,
): Promise<T> {
	return await inTurn(`${context.getWorkflow().id}/${context.getNode().id}`, work);
}
