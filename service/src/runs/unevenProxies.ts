import { createHash } from 'node:crypto';
import type { KnownProcess } from '../store/processStore.ts';
import { scraping } from './unserved.ts';

/** A region whose pages come another way at some processes than at the first, and the names of those. */
export interface UnevenProxy {
	region: string;
	others: string[];
}

/** What the log says of one. */
export const unevenProxy =
	'pages of a region come through one proxy at some processes, and through another or none at others: give all the same SERVICE_REGION_PROXIES';

/** By what the proxies of regions are known to other processes, which do not see their passwords: "jp=1f3870be". */
export function proxyMarks(regionProxies: Partial<Record<string, string>>): string[] {
	return Object.entries(regionProxies).map(([region, proxy = '']) => {
		const { href = '' } = URL.parse(proxy) ?? {};
		const mark = createHash('sha256').update(`cloud-scraping ${href}`).digest('hex');
		return `${region}=${mark.slice(0, 8)}`;
	});
}

/** The regions for which the processes at work have been told different things. */
export function unevenProxies(processes: KnownProcess[]): UnevenProxy[] {
	const atWork = scraping(processes);
	const regions = new Set(atWork.flatMap((each) => each.regions));
	return [...regions].flatMap((region) => {
		const serving = atWork.filter((each) => each.regions.includes(region));
		const wayOf = ({ proxied }: KnownProcess) =>
			proxied.find((each) => each.startsWith(`${region}=`));
		const [first] = serving;
		const others = serving.filter((each) => first && wayOf(each) !== wayOf(first));
		return others.length > 0 ? [{ region, others: others.map(({ name }) => name) }] : [];
	});
}
