import type { CDPSession, Page as Tab } from 'playwright-core';
import type { RequestSettings } from '../requestSettings.ts';
import { isNamed, secretsApart } from '../secretHeaders.ts';

/** Sites whose requests are held up one by one; of more, all requests are. */
const maxPatterns = 20;

/**
 * Has a tab send the headers of a task that say who asks to the sites alone that it names: whatever its pages ask for, and
 * wherever a redirect leads, goes without.
 */
export async function sendSecrets(tab: Tab, settings: RequestSettings): Promise<void> {
	const { secrets } = secretsApart(settings.headers);
	const { sites = new Set<string>() } = settings;
	const added = Object.entries(secrets).map(([name, value]) => ({ name, value }));
	if (added.length === 0 || sites.size === 0) return;
	const session: CDPSession = await tab.context().newCDPSession(tab);
	// Scripts of a page may send headers of these names, which are their own.
	const isTaken = (name: string, value: string, isFor: boolean) =>
		added.some((each) => isSame(each.name, name) && (isFor || each.value === value));
	session.on('Fetch.requestPaused', ({ requestId, request }) => {
		const address = URL.parse(request.url);
		const isFor = address !== null && isNamed(address, sites);
		const kept = Object.entries(request.headers)
			.filter(([name, value]) => !isTaken(name, value, isFor))
			.map(([name, value]) => ({ name, value }));
		const headers = [...kept, ...(isFor ? added : [])];
		// The tab may have gone, or the request.
		void session.send('Fetch.continueRequest', { requestId, headers }).catch(() => undefined);
	});
	const patterns = [...sites].flatMap((origin) => {
		const byHttps = origin.replace(/^http:/, 'https:');
		return [...new Set([origin, byHttps])].map((each) => ({ urlPattern: `${each}/*` }));
	});
	await session.send('Fetch.enable', sites.size > maxPatterns ? {} : { patterns });
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
