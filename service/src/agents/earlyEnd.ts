import type { EndStatus } from '../store/batch.ts';
import type { RowStore } from '../store/rowStore.ts';
import type { Stores } from '../store/stores.ts';

/** After how many rows a run is to end before its time, and how. */
export interface EarlyEnd {
	afterRows: number;
	how: EndStatus;
	/** Is told when it does. */
	happens(): void;
}

/**
 * Stores rows of a batch until it has so many, one agent after the other, since each has to know what the others
 * have stored; `reached` is awaited then.
 */
export function rowsUpTo(
	most: number,
	{ batches, rows }: Pick<Stores, 'batches' | 'rows'>,
	reached: () => Promise<void>,
): RowStore {
	let before: Promise<unknown> = Promise.resolve();
	return {
		count: (batch) => rows.count(batch),
		read: (...window) => rows.read(...window),
		append(claim, some, firstItem) {
			const stored = before.then(async () => {
				const { lineCount } = await batches.get(claim.batchID);
				const highest = await rows.append(
					claim,
					some.slice(0, Math.max(0, most - lineCount)),
					firstItem,
				);
				if ((await batches.get(claim.batchID)).lineCount >= most) await reached();
				return highest;
			});
			before = stored.catch(() => undefined);
			return stored;
		},
	};
}
