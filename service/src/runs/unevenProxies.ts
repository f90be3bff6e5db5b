import type { KnownProcess } from '../store/processStore.ts';
import { scraping } from './unserved.ts';

/** A region whose pages come through a proxy at some processes, and the names of those where they do not. */
export interface UnevenProxy {
	region: string;
	without: string[];
}

/** What the log says of one. */
export const unevenProxy =
	'pages of a region come through a proxy at some processes, and not at others: give all the same SERVICE_REGION_PROXIES';

/** The regions for which the processes at work have been told different things. */
export function unevenProxies(processes: KnownProcess[]): UnevenProxy[] {
	const atWork = scraping(processes);
	const proxied = new Set(atWork.flatMap((each) => each.proxied));
	return [...proxied].flatMap((region) => {
		const lacking = atWork.filter(
			(each) => each.regions.includes(region) && !each.proxied.includes(region),
		);
		return lacking.length > 0 ? [{ region, without: lacking.map(({ name }) => name) }] : [];
	});
}
