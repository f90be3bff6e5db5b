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
	const isAdded = (name: string) =>
		added.some((each) => each.name.toLowerCase() === name.toLowerCase());
	session.on('Fetch.requestPaused', ({ requestId, request }) => {
		const address = URL.parse(request.url);
		const kept = Object.entries(request.headers)
			.filter(([name]) => !isAdded(name))
			.map(([name, value]) => ({ name, value }));
		const isFor = address !== null && isNamed(address, sites);
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
