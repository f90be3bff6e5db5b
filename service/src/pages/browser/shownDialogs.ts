/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The dialogs that are over all else on a page until somebody leaves them. */
export interface ShownDialogs {
	now: () => Element[];
	/** Those that are shown by now are known. */
	note: () => void;
	/** Whether one is shown that is not. */
	haveCome: () => boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepShownDialogs(own: <Target extends Node>(node: Target) => Target): ShownDialogs {
	let known = new Set<Element>();
	const now = () =>
		[...document.querySelectorAll(':modal, [aria-modal=true]')].filter((dialog) =>
			own(dialog).checkVisibility(),
		);
	return {
		now,
		note: () => (known = new Set(now())),
		haveCome: () => now().some((dialog) => !known.has(dialog)),
	};
}
