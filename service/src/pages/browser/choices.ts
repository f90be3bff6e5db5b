/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { OpenedTab } from './openedTab.ts';

/**
 * What clicks have chosen that say so in a way of their own, by a class as a rule. Nothing knows how that is taken back: a
 * click on what was chosen may do something else.
 */
export interface Choices {
	/** An element is about to be clicked; `find` gives it, or what has taken its place. */
	note: (find: () => Element | null) => void;
	/** Whether what the last click has given its element was given to one that is like it before, and is still there. */
	addUp: () => boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepChoices(own: <Target extends Node>(node: Target) => Target): Choices {
	/** Clicks of which note is kept: the last ones. */
	const most = 50;
	const signsOf = (element: Element) => {
		const { attributes, classList, parentElement, children } = own(element);
		const signs = [...classList].map((each) => `.${each}`);
		for (const { name, value } of attributes) if (name !== 'class') signs.push(`${name}=${value}`);
		for (const each of parentElement ? own(parentElement).classList : []) signs.push(`in .${each}`);
		for (const each of children) signs.push(`${each.localName} ${own(each).className}`);
		return signs;
	};
	/** Of elements that are like one another, as those of a list. */
	const kindOf = (element: Element) => {
		const { localName, className, parentElement } = own(element);
		return `${localName} ${className} in ${parentElement?.localName}`;
	};
	const clicks: { find: () => Element | null; kind: string; before: Set<string> }[] = [];

	return {
		note(find) {
			const element = find();
			if (!element) return;
			clicks.push({ find, kind: kindOf(element), before: new Set(signsOf(element)) });
			if (clicks.length > most) clicks.shift();
		},
		addUp() {
			const last = clicks.at(-1);
			const element = last?.find();
			if (!last || !element) return false;
			const gained = signsOf(element).filter((sign) => !last.before.has(sign));
			return clicks.some(({ find, kind, before }) => {
				const other = find();
				if (!other || other === element || kind !== last.kind) return false;
				const signs = new Set(signsOf(other));
				return gained.some((sign) => signs.has(sign) && !before.has(sign));
			});
		},
	};
}

/** As `addUp`, in the document of a tab. */
export async function haveAddedUp({ world }: OpenedTab): Promise<boolean> {
	return (await world.call(({ choices }) => choices.addUp(), undefined)) === true;
}
