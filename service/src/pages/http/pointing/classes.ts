import type { Element } from 'domhandler';

/** All classes of an element, each once. */
export function classesOf({ attribs }: Element): string[] {
	return [...new Set((attribs.class ?? '').split(/\s+/).filter((name) => name !== ''))];
}
