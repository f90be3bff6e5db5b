import { LastValues } from '../../../../nodes/CloudScraping/memory/lastValues';
import { ReadNumbers } from '../../../../nodes/CloudScraping/memory/readNumbers';
import type { EntryStore } from '../../../../nodes/CloudScraping/memory/entryStore';
import type { RowPrint, Taken } from '../../../../nodes/CloudScraping/memory/rowMemory';

export const memoryIn = (
	store: EntryStore,
	name = 'm',
	pause = async () => await Promise.resolve(),
) => new LastValues(store, new ReadNumbers(store, name, pause), name);

export const all = { limit: () => Infinity };

/** Rows as `a1`: the key a with the values 1. */
export const rowsOf = (text: string): RowPrint[] =>
	text === '' ? [] : text.split(' ').map(([key, ...values]) => ({ key, values: values.join('') }));

/** What comes out, as `a1 new`. */
export const shown = ({ due }: Pick<Taken, 'due'>) =>
	due.map(({ row: { key, values }, change }) => `${key}${values} ${change}`);

export const read = async (memory: LastValues, rows: string, limit = Infinity) =>
	shown(await memory.take(rowsOf(rows), { limit: () => limit }));
