/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import type { OpenedTab } from './openedTab.ts';

/** Whether the site of the open page has stored nothing by which it would know its visitor again, beside cookies. */
export async function storesNothing({ world }: OpenedTab): Promise<boolean> {
	return (await world.call(countStored, undefined)) === 0;
}

/** Runs in the page, so it can use nothing that is outside of it. */
async function countStored(): Promise<number> {
	const counts: (() => Promise<number> | number)[] = [
		() => localStorage.length,
		() => sessionStorage.length,
		// A window keeps its name from page to page.
		() => window.name.length,
		async () => (await indexedDB.databases()).length,
		async () => (await caches.keys()).length,
		async () => (await navigator.serviceWorker.getRegistrations()).length,
		async () => {
			const files = (await navigator.storage.getDirectory()).keys();
			return (await files.next()).done === true ? 0 : 1;
		},
	];
	let all = 0;
	for (const count of counts) {
		try {
			all += await count();
		} catch {
			// Where a page may store nothing, as one without encryption, these are missing or refuse.
		}
	}
	return all;
}
