import { absoluteAddress } from '../absoluteAddress.ts';
import { PageError, type Entered } from '../page.ts';
import { foldSpaces } from '../fieldValue.ts';
import type { Elements } from './elements.ts';

/** The address that an entered element leads to: the link that it is, is in, or first has. */
export async function linkOf(elements: Elements, entered: Entered[]): Promise<string> {
	const link = { selector: 'a[href], link[href]', attributes: ['href'] };
	const { values, base } = await elements.find(entered, {
		values: [{ ...link, isAround: true }, link],
	});
	const href = values.flat().find((value) => value !== null) ?? undefined;
	if (href === undefined) throw new PageError('The loop item is not a link.');
	const address = absoluteAddress(href, base);
	if (address === undefined) throw new PageError(`"${href}" is not a URL.`);
	return address;
}

/** The text of an entered element. */
export async function textOf(elements: Elements, entered: Entered[]): Promise<string> {
	const { values } = await elements.find(entered, { values: [{}] });
	return foldSpaces(values[0]?.[0] ?? '');
}
