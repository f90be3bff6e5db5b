import type { Element } from 'domhandler';
import { absoluteAddress } from '../../pages/absoluteAddress.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { saysNext } from '../../pages/saysNext.ts';
import { all, first } from '../../pages/http/select.ts';
import { isRelNext, labelOf } from './next.ts';
import { numberOf } from './numbering.ts';

/** What seems to lead to the next page, seen or hidden: a narrow window may have it behind a menu. */
export interface NextOffer {
	number: number;
	label: string;
}

/** The link by which a page goes on: as it says itself, by a word, or by the number 2 where there is a 3. */
export function nextOffer({ page, base }: HtmlDocument): NextOffer | undefined {
	const links = all('a[href]', page);
	const addressOf = ({ attribs: { href = '' } }: Element) => absoluteAddress(href, base);
	const head = first('link[rel~="next" i][href]', page);
	const named = head && addressOf(head);
	const labels = new Map(links.map((link) => [link, labelOf(link)]));
	const withLabel = (isMeant: (label: string) => boolean) =>
		links.find((link) => isMeant(labels.get(link) ?? ''));
	const hasMore = withLabel((label) => label === '3') !== undefined;
	const found: Element | undefined =
		links.find(isRelNext) ??
		links.find((link) => named !== undefined && addressOf(link) === named) ??
		withLabel(saysNext) ??
		(hasMore ? withLabel((label) => label === '2') : undefined);
	return found && { number: numberOf(found, page), label: labels.get(found) || 'next' };
}
