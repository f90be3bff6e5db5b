import type { Element } from 'domhandler';
import { innerText } from '../../pages/http/innerText.ts';
import { all } from '../../pages/http/select.ts';
import { columnCosts } from '../selectors/costs.ts';
import type { Part } from '../selectors/parts.ts';
import { ancestorsOf } from '../selectors/tree.ts';
import { saysPrice } from './columnName.ts';

/** What a page says that it no longer holds: a price before it was reduced. */
const names = ['del', 's', 'strike'];

const without = `:not(${[...names, ...names.map((name) => `${name} *`)].join(', ')})`;

export function hasStruckOut(element: Element): boolean {
	return all(names.join(), element).length > 0;
}

function isStruckOut(element: Element): boolean {
	return [element, ...ancestorsOf(element)].some(({ name }) => names.includes(name));
}

/** A price in a box for prices: another page may have a struck-out one before it there. */
function isInBox(element: Element): boolean {
	const [box] = ancestorsOf(element);
	return saysPrice(element) && box !== undefined && innerText(box) === innerText(element);
}

/** Names for an element of an entry: without what is struck out where it may stand before it. */
export function namesWithoutStruckOut(element: Element, parts: Part[], entries: Element[]): Part[] {
	const isAmount = isInBox(element);
	if (isStruckOut(element) || !(isAmount || entries.some(hasStruckOut))) return parts;
	const rest = parts.map(({ text, cost }) => ({
		text: `${text}${without}`,
		cost: isAmount ? cost : cost + columnCosts.without,
	}));
	return isAmount ? rest : [...parts, ...rest];
}

/** The same for the selector of something on a page of its own. */
export function selectorWithoutStruckOut(selector: string, element: Element): string {
	return isInBox(element) && !isStruckOut(element) ? `${selector}${without}` : selector;
}
