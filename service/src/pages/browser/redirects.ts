import type { CDPSession, Page as Tab } from 'playwright-core';
import { hostOf } from '../hostOf.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { maxRedirects } from '../http/redirects.ts';
import { PageError, type MayAsk } from '../page.ts';

/** Is told where a redirect leads to another host. */
export type MayLead = (url: string) => void;

/** A page that was called off, since a redirect leads to another host. */
export class LedElsewhere extends Error {
	readonly to: string;

	constructor(to: string) {
		super('A redirect leads to another host.');
		this.to = to;
	}
}

/**
 * Opens a page by `load`. Where there is a `mayAsk`, that keeps to one host each time, and it is waited for before, as
 * by an http page.
 */
export async function byHosts(
	url: string,
	mayAsk: MayAsk | undefined,
	load: (url: string, mayLead?: MayLead) => Promise<void>,
): Promise<void> {
	if (!mayAsk) return load(url);
	let next: string | undefined = url;
	for (let hosts = 0; next !== undefined; hosts += 1) {
		if (hosts > maxRedirects) {
			throw new PageError(`${url} failed: more than ${maxRedirects} redirects.`, { url });
		}
		const at: string = next;
		await mayAsk(at);
		next = undefined;
		await load(at, (to) => (next = to));
	}
}

/** Tells where the page that a tab asks for is led to, before another host is asked for it. */
export class Redirects {
	readonly #session: CDPSession;
	readonly #frameId: string;

	private constructor(session: CDPSession, frameId: string) {
		this.#session = session;
		this.#frameId = frameId;
	}

	static async of(tab: Tab): Promise<Redirects> {
		const session = await tab.context().newCDPSession(tab);
		const { frameTree } = await session.send('Page.getFrameTree');
		return new Redirects(session, frameTree.frame.id);
	}

	/**
	 * Has `open` ask for the page at `url`. Throws what that throws, and LedElsewhere where a redirect leads from its host
	 * to another one: the page is called off before that is asked.
	 */
	async upToAnotherHost(url: string, open: () => Promise<void>): Promise<void> {
		const [asked, host] = [withoutFragment(new URL(url).href), hostOf(url)];
		let elsewhere: string | undefined;
		/** The requests for it so far: scripts of a page that has come, or is left, may ask for others. */
		const own = new Set<string>();
		const session = this.#session;
		const onPaused = ({ requestId, redirectedRequestId: from, request, frameId }: Paused) => {
			const { url: next, urlFragment = '' } = request;
			const isOwn = from === undefined ? next === asked : own.has(from);
			if (isOwn && frameId === this.#frameId) own.add(requestId);
			const isElsewhere = own.has(requestId) && /^https?:/.test(next) && hostOf(next) !== host;
			if (isElsewhere) elsewhere = next + urlFragment;
			const answered = isElsewhere
				? session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
				: session.send('Fetch.continueRequest', { requestId });
			// The tab may have gone, or the request.
			void answered.catch(() => undefined);
		};
		session.on('Fetch.requestPaused', onPaused);
		try {
			await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
			await open();
		} catch (error) {
			throw elsewhere === undefined ? error : new LedElsewhere(elsewhere);
		} finally {
			session.off('Fetch.requestPaused', onPaused);
			// What waits then goes on.
			void session.send('Fetch.disable').catch(() => undefined);
		}
	}
}

/** What Chromium says of a request that it has held up. */
interface Paused {
	requestId: string;
	/** That of the request which was answered by a redirect to this one. */
	redirectedRequestId?: string;
	request: { url: string; urlFragment?: string };
	frameId: string;
}
