import type { PageKinds } from '../agents/ownMachine.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import { sitesOf } from '../pages/secretHeaders.ts';
import type { Source } from '../pages/http/reader.ts';
import { PageError } from '../pages/page.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import type { Draft } from './draft.ts';
import { openingFailure } from './openingFailure.ts';
import type { PickerReaders } from './pickerReaders.ts';

/** What the picker works with. */
export interface PickerParts {
	readers: PickerReaders;
	/** How pages of each kind are opened here. */
	pages: PageKinds;
	/** Aborted when the service ends. */
	closing: AbortSignal;
}

/** Milliseconds for a page to come: somebody waits for it. */
const patience = 60_000;

/**
 * A page as a draft's task would get it, or the one that a click there leads to; throws a ServiceError that
 * says why there is none. `isLinked`: its address was not entered, but is that of a link.
 */
export async function openPage(
	{ readers, pages, closing }: PickerParts,
	{ page: kind, settings, url: start }: Draft,
	url: string,
	{ clicked, isLinked = false }: { clicked?: string; isLinked?: boolean } = {},
): Promise<Source> {
	const open = pages[kind]?.open;
	if (!open) throw new ServiceError('conflict', browserMissing);
	const signal = AbortSignal.any([closing, AbortSignal.timeout(patience)]);
	const page = open(signal, { ...settings, sites: sitesOf(start) });
	try {
		await page.open(url);
		if (clicked !== undefined) {
			const before = await page.fingerprint([]);
			await page.click(clicked);
			await page.fingerprint([], { before });
		}
		const source = readers.add(await page.snapshot());
		// One that cannot be read is not pointed at either.
		await readers.ask(source, 'checkPickable');
		return source;
	} catch (error) {
		const isLate = signal.aborted && !closing.aborted;
		if (isLate) throw new ServiceError('badRequest', `${url} did not load within a minute.`);
		if (!(error instanceof PageError)) throw error;
		const { message } = error;
		// Whatever goes wrong behind a proxy, the proxy is in between: the reason names it.
		const isDirect = settings.proxy === undefined;
		const said = isDirect ? openingFailure(url, message, isLinked) : withoutPasswords(message);
		throw new ServiceError('badRequest', said);
	} finally {
		await page.close();
	}
}
