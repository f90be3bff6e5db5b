import type { Element } from 'domhandler';
import { closest } from './controls.ts';
import { first } from './select.ts';

/** The link that an element is, or is in: `link[rel=next]` too, which nobody sees. */
export function linkAround(element: Element): Element | undefined {
	return closest(
		element,
		({ name, attribs }) => (name === 'a' || name === 'link') && attribs.href !== undefined,
	);
}

/** The link that an element is, is in, or has. */
export function linkOf(element: Element): Element | undefined {
	return linkAround(element) ?? first('a[href]', element);
}
