import { PageError } from '../../pages/page.ts';
import { isNamed, type SeenNext } from '../../pages/http/pointing/nextLink.ts';
import type { Source } from '../../pages/http/reader.ts';
import type { Readers } from '../../pages/http/readers.ts';
import type { Pointing, Pointings } from './pointings.ts';

/**
 * A selector that leads from page to page: it is tried on the page that the link leads to. There it has
 * to find what leads on, and no way back; or nothing, where nothing leads on. Throws a PageError for
 * people.
 */
export async function nextSelector(
	{ draft, list }: Pointing,
	number: number,
	{ readers, pointings }: { readers: Readers; pointings: Pointings },
): Promise<string> {
	const { selectors, label, href, sendsForm } = await readers.ask(list, 'foundNext', number);
	const [usual = ''] = selectors;
	const isLink = href !== undefined && /^https?:/.test(href) && !isSame(href, list.url);
	if (!isLink && !sendsForm && draft.page === 'http') {
		throw new PageError(
			'This leads on by a script, and scripts do not run on pages that are opened as they come. Begin again with the address, and choose “in a browser”.',
		);
	}
	// A button, or a page that does not come: only a run can tell.
	const second = isLink ? await pointings.open(draft, href).catch(() => undefined) : undefined;
	if (!second) return usual;
	const isFirst = async (address: string | undefined) => {
		if (address === undefined || isSame(address, list.url)) return address !== undefined;
		const page = await pointings.open(draft, address).catch(() => undefined);
		if (page) readers.forget(page);
		return page !== undefined && Buffer.compare(page.body, list.body) === 0;
	};
	try {
		const seen = await readers.ask(second, 'seenBy', selectors);
		const wanted = labelAfter(label);
		const isBack = (there: SeenNext) =>
			there.href !== undefined && isOneOf(there.href, [list, second]);
		const leadsOn = (selector: string, there: SeenNext | undefined) =>
			there !== undefined &&
			!isBack(there) &&
			// At a place "last" may stand as well, which leaves pages out; a name says what is meant.
			(there.label === wanted || isNamed(selector));
		const good = selectors.find((selector, index) => leadsOn(selector, seen[index]));
		if (good !== undefined) return good;
		if (!(await readers.ask(second, 'saysSomewhere', wanted))) {
			// Of two pages the second is the last: a run ends there, or where it is led back to the first.
			const nothing = selectors.find((_, index) => seen[index] === undefined);
			if (nothing !== undefined) return nothing;
			const back = await Promise.all(seen.map((there) => isFirst(there?.href)));
			const leadingBack = selectors.find((_, index) => back[index]);
			if (leadingBack !== undefined) return leadingBack;
		}
	} finally {
		readers.forget(second);
	}
	throw new PageError(
		`On the next page nothing tells what leads on from what leads elsewhere: “${label}” has no name, and no place of its own. Point at another link to the next page, such as “Next” or an arrow, or give the task a selector for it in its file.`,
	);
}

/** What leads on from the next page says the same; a number is one more. */
function labelAfter(label: string): string {
	return /^\d+$/.test(label) ? String(Number(label) + 1) : label;
}

function isOneOf(address: string, pages: Source[]): boolean {
	return pages.some(({ url }) => isSame(address, url));
}

function isSame(address: string | undefined, url: string): boolean {
	return address?.replace(/#.*/s, '') === url.replace(/#.*/s, '');
}
