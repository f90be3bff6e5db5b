/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Runs in a document, so it can use nothing that is outside of it. What returns has what browsers leave out
 * far from the window (`content-visibility: auto`) laid out, around and inside of some elements: who scrolls
 * there sees it, and a text is read as it is seen. What that returns puts it back. An animation is no style
 * of the page: no policy refuses it, no attribute changes, and what is hidden for good stays so.
 */
export function keepSkippedContent(own: <Target extends Node>(node: Target) => Target) {
	const isSkipping = (element: Element) => getComputedStyle(element).contentVisibility === 'auto';
	/** What is `!important` is stronger than an animation. */
	const restyle = (element: Element) => {
		if (!(element instanceof HTMLElement || element instanceof SVGElement)) return () => undefined;
		const { style } = own(element);
		const [name, hadStyle] = ['content-visibility', own(element).hasAttribute('style')];
		const before = [style.getPropertyValue(name), style.getPropertyPriority(name)] as const;
		style.setProperty(name, 'visible', 'important');
		return () => {
			style.setProperty(name, ...before);
			// Chromium removes an attribute only once it has been looked at.
			if (!hadStyle && own(element).hasAttribute('style')) own(element).removeAttribute('style');
		};
	};
	return (elements: Iterable<Element>): (() => void) => {
		const seen = new Set<Element>();
		for (const element of elements) {
			if (!own(element).checkVisibility({ contentVisibilityAuto: true })) {
				let outer: Element | null = own(element).parentElement;
				for (; outer && !seen.has(outer); outer = own(outer).parentElement) seen.add(outer);
			}
			seen.add(element);
			for (const inner of own(element).getElementsByTagName('*')) seen.add(inner);
		}
		const skipping = [...seen].filter(isSkipping);
		const animations = skipping.map((element) => {
			const keyframes = { contentVisibility: ['visible', 'visible'] };
			const animation = own(element).animate(keyframes, { duration: 1, fill: 'both' });
			animation.pause();
			return animation;
		});
		const restyled = skipping.filter(isSkipping).map(restyle);
		return () => {
			for (const animation of animations) animation.cancel();
			for (const undo of restyled) undo();
		};
	};
}
