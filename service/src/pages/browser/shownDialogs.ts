/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The dialogs that are over all else on a page until somebody leaves them. */
export interface ShownDialogs {
	now: () => Element[];
	/** A list begins; `areKnown`: those that are shown by now are nothing that has come over it. */
	note: (areKnown: boolean) => void;
	/** Whether one is shown that is not; false where none were noted, as on a page that has come since. */
	haveCome: () => boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepShownDialogs(own: <Target extends Node>(node: Target) => Target): ShownDialogs {
	let known: Set<Element> | undefined;
	const dialogs = ':modal, [aria-modal=true], [role=dialog], [role=alertdialog]';
	const now = () =>
		[...document.querySelectorAll(dialogs)].filter((dialog) => own(dialog).checkVisibility());
	const inMiddle = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2);
	/** Some are there all the time, out of sight. */
	const overMiddle = () => now().filter((dialog) => own(dialog).contains(inMiddle()));
	/** What stands over the whole window may be one that does not say so, or its backdrop. */
	const overAll = () => {
		let each = inMiddle();
		while (each && getComputedStyle(each).position !== 'fixed') each = own(each).parentElement;
		const { width = 0, height = 0 } = each ? own(each).getBoundingClientRect() : {};
		return each && width >= innerWidth && height >= innerHeight ? [each] : [];
	};
	return {
		now,
		note(areKnown) {
			const shown = now();
			// A page may stand in such an element itself.
			const others = overAll().filter((each) => !shown.includes(each));
			known = new Set(areKnown ? [...others, ...shown] : others);
		},
		haveCome() {
			const before = known;
			return before ? [...overMiddle(), ...overAll()].some((each) => !before.has(each)) : false;
		},
	};
}
