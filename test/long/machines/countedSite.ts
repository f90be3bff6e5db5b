import { setTimeout as sleep } from 'node:timers/promises';
import { startSite, type Site } from '../../support/service/startSite';

/** Milliseconds that a page takes: long enough for others to come. */
const pageTime = 150;

/** A site that counts the requests under way, below each folder of its addresses. */
export interface CountedSite extends Site {
	/** Says how many may be under way at once below a folder. */
	allow(folder: string, most: number): void;
	/** Where there were more. */
	excesses: string[];
}

/** Starts one; its pages are `/task/batch/number`, and have two rows: of the page, and of the ten that it is one of. */
export async function startCountedSite(): Promise<CountedSite> {
	const allowed = new Map<string, number>();
	const underWay = new Map<string, number>();
	const excesses: string[] = [];
	const change = (folder: string, by: number) => {
		const count = (underWay.get(folder) ?? 0) + by;
		underWay.set(folder, count);
		return count;
	};
	const site = await startSite(async ({ url: { pathname }, closed }) => {
		const [, task = '', batch = '', number] = pathname.split('/');
		// A browser also asks for a picture of the site.
		if (number === undefined) return { status: 404 };
		for (const folder of [task, batch]) {
			const count = change(folder, 1);
			void closed.then(() => change(folder, -1));
			if (count > (allowed.get(folder) ?? 0))
				excesses.push(`${count} at once in ${pathname}: ${folder}`);
		}
		await sleep(pageTime);
		return rowsOnPage(Number(number))
			.map((text) => `<p>${text}</p>`)
			.join('');
	});
	return {
		...site,
		excesses,
		allow: (folder, most) => void allowed.set(folder, most),
	};
}

/** The texts of a page's rows. */
export function rowsOnPage(number: number): string[] {
	return [`page ${number}`, `shelf ${Math.floor(number / 10)}`];
}
