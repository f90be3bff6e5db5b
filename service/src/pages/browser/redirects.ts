import type { CDPSession, Page as Tab } from 'playwright-core';
import { hostOf } from '../hostOf.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { maxRedirects } from '../http/redirects.ts';
import { PageError, type MayAsk } from '../page.ts';

/** Is told where a redirect leads to another host. */
export type MayLead = (url: string) => void;

/** How an address is opened. */
export interface HowToOpen {
	/** Where only its fragment is another one than that of the open address, that leads to a place in the document. */
	mayStay?: boolean | undefined;
	/** Is told where a redirect leads to another host, which is not asked then: no page comes. */
	mayLead?: MayLead | undefined;
	/** What the site is told of the page that leads there (header `Referer`). */
	referer?: string | undefined;
}

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

/** Another page that something has asked for, which was not asked for. */
export interface Led {
	to: string;
	referer?: string | undefined;
}

/** A page that is asked for, and where its redirects lead. */
interface Watched {
	asked: string;
	host: string;
	/** The requests for it so far: scripts of a page that has come, or is left, may ask for others. */
	own: Set<string>;
	/** The address at another host that a redirect leads to. */
	elsewhere?: string;
}

/**
 * Tells where the page that a tab asks for is led to, before another host is asked for it: Chromium holds up each page
 * that the tab asks for. Where it ceases to, it may lose one that is asked for just then, so it does at rest. It has to:
 * a form that was sent, and is led on to another site and back, it cannot let go on.
 */
export class Redirects {
	readonly #session: CDPSession;
	readonly #frameId: string;
	#watched: Watched | undefined;
	/** What leads away from a page that is to stay. */
	#kept: { url: string; led?: Led } | undefined;
	#holdsUp = false;

	private constructor(session: CDPSession, frameId: string) {
		this.#session = session;
		this.#frameId = frameId;
		session.on('Fetch.requestPaused', (paused) => {
			const { requestId } = paused;
			const answered =
				this.#isElsewhere(paused) || this.#leadsAway(paused)
					? session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
					: session.send('Fetch.continueRequest', { requestId });
			// The tab may have gone, or the request.
			void answered.catch(() => undefined);
		});
	}

	static async of(tab: Tab): Promise<Redirects> {
		const session = await tab.context().newCDPSession(tab);
		const { frameTree } = await session.send('Page.getFrameTree');
		return new Redirects(session, frameTree.frame.id);
	}

	/**
	 * Has `open` ask for the page at `url`. Throws what that throws, and LedElsewhere where a redirect leads from its host
	 * to another one: the page is called off before that is asked. `rest` is to follow.
	 */
	async upToAnotherHost(url: string, open: () => Promise<void>): Promise<void> {
		const asked = withoutFragment(new URL(url).href);
		const watched: Watched = { asked, host: hostOf(url), own: new Set() };
		this.#watched = watched;
		try {
			await this.#holdUp();
			await open();
		} catch (error) {
			throw watched.elsewhere === undefined ? error : new LedElsewhere(watched.elsewhere);
		} finally {
			this.#watched = undefined;
		}
	}

	/** Has `act` do something on the page at `url`, which stays: resolves to where that leads to, unless it sends a form there. */
	async instead(url: string, act: () => Promise<void>): Promise<Led | undefined> {
		const kept: { url: string; led?: Led } = { url: withoutFragment(url) };
		this.#kept = kept;
		try {
			await this.#holdUp();
			await act();
			return kept.led;
		} finally {
			this.#kept = undefined;
		}
	}

	async #holdUp(): Promise<void> {
		this.#holdsUp = true;
		await this.#session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
	}

	/** The page has come to rest. */
	rest(): void {
		if (!this.#holdsUp) return;
		this.#holdsUp = false;
		void this.#session.send('Fetch.disable').catch(() => undefined);
	}

	#leadsAway({ redirectedRequestId: from, request, frameId }: Paused): boolean {
		const kept = this.#kept;
		const { url, urlFragment = '', method, headers } = request;
		if (!kept || frameId !== this.#frameId || from !== undefined) return false;
		// A page that opens itself anew does not lead away.
		if (method !== 'GET' || !/^https?:/.test(url) || url === kept.url) return false;
		kept.led ??= { to: url + urlFragment, referer: headers.Referer };
		return true;
	}

	#isElsewhere({ requestId, redirectedRequestId: from, request, frameId }: Paused): boolean {
		const watched = this.#watched;
		if (!watched) return false;
		const { url: next, urlFragment = '' } = request;
		const isOwn = from === undefined ? next === watched.asked : watched.own.has(from);
		if (!isOwn || frameId !== this.#frameId) return false;
		watched.own.add(requestId);
		const isElsewhere = /^https?:/.test(next) && hostOf(next) !== watched.host;
		if (isElsewhere) watched.elsewhere = next + urlFragment;
		return isElsewhere;
	}
}

/** What Chromium says of a request that it has held up. */
interface Paused {
	requestId: string;
	/** That of the request which was answered by a redirect to this one. */
	redirectedRequestId?: string;
	request: { url: string; urlFragment?: string; method: string; headers: Record<string, string> };
	frameId: string;
}
