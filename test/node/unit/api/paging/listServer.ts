import { setImmediate as turn } from 'node:timers/promises';

import type { FetchPage } from '../../../../../nodes/CloudScraping/api/paging/page';

/** A paged list in memory that answers as a service may (section 2.2). */
export interface ListServer {
	items: number[];
	/** Items a page at most, and what becomes of a larger size. */
	maxSize?: number;
	oversize?: 'clamp' | 'clampAndEcho' | 'refuse';
	/** Requests that are answered before `maxSize` holds. */
	unlimited?: number;
	/** Items that are left out of their pages, which get shorter; the total counts them. */
	leftOut?: ReadonlySet<number>;
	/** Items that appear with each answer, while there are any. */
	growth?: number[];
	/** Turns of the event loop that each answer takes. */
	delays?: number[];
}

export interface Asked {
	page: number;
	size: number;
}

/** Pages of the list, and what was asked for so far. */
export function listServer({
	items,
	maxSize = Infinity,
	oversize = 'refuse',
	unlimited = 0,
	leftOut = new Set(),
	growth = [],
	delays = [],
}: ListServer) {
	const list = [...items];
	const asked: Asked[] = [];
	let open = 0;
	let mostOpen = 0;
	const fetchPage: FetchPage<number> = async (page, size) => {
		asked.push({ page, size });
		const nth = asked.length - 1;
		open++;
		mostOpen = Math.max(mostOpen, open);
		for (let turns = delays[nth % delays.length] ?? 0; turns > 0; turns--) await turn();
		open--;
		const most = nth < unlimited ? Infinity : maxSize;
		if (size > most && oversize === 'refuse') return { refused: new Error(`size ${size}`) };
		const used = Math.min(size, most);
		for (let more = growth[nth] ?? 0; more > 0; more--) list.push(list.length);
		return {
			list: list.slice((page - 1) * used, page * used).filter((item) => !leftOut.has(item)),
			pagination: { page, size: oversize === 'clampAndEcho' ? used : size, total: list.length },
		};
	};
	return { fetchPage, list, asked, mostOpen: () => mostOpen };
}

export const numbers = (count: number) => Array.from({ length: count }, (_item, n) => n);

/** All items of a read. */
export async function allItems<T>(parts: AsyncIterable<{ items: T[] }>): Promise<T[]> {
	const read: T[] = [];
	for await (const { items } of parts) read.push(...items);
	return read;
}
