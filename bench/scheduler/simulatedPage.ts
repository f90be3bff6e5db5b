import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenPage } from '../../service/src/agents/ownMachine.ts';
import type { Bookmark, Page, PageField, ReadRow } from '../../service/src/pages/page.ts';

/** Milliseconds that a page takes to come, and how many rows it has. */
export interface SimulatedPages {
	pageTime: number;
	rowsOfAPage: number;
}

/** Opens pages that nobody asks for: no network, no HTML, nothing but an address and rows that are made up. */
export function simulated({ pageTime, rowsOfAPage }: SimulatedPages): OpenPage {
	return (signal) => {
		let address = '';
		const page: Page = {
			async open(url) {
				if (pageTime > 0) await sleep(pageTime, undefined, { signal });
				address = url;
			},
			address: () => address,
			async *read(_selector, fields) {
				const rows = Array.from({ length: rowsOfAPage }, (_, row) =>
					rowOf(fields, `${address} ${row}`),
				);
				yield await Promise.resolve(rows);
			},
			close: () => Promise.resolve(),
			enter: unasked,
			inputText: unasked,
			submit: unasked,
			leaveField: unasked,
			click: unasked,
			missing: () => Promise.resolve(undefined),
			lack: () => undefined,
			leadsTo: unasked,
			has: unasked,
			presence: unasked,
			elements: unasked,
			enteredLink: unasked,
			enteredText: unasked,
			scroll: unasked,
			bookmark: (): Bookmark => ({
				isAsOpened: true,
				isLast: () => true,
				isOpen: () => true,
				goBack: () => Promise.resolve(),
				now: () => page.bookmark(),
			}),
			snapshot: unasked,
			fingerprint: unasked,
		};
		return page;
	};
}

function rowOf(fields: PageField[], value: string): ReadRow {
	return Object.fromEntries(fields.map(({ id }) => [id, [value]]));
}

function unasked(): never {
	throw new Error('The tasks of the simulation open pages and read them, and do nothing else.');
}
