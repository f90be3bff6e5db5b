/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What elements say, as it is read. */
export interface ShownTexts {
	texts: Map<Element, string>;
	/** Those that as a whole are not shown, and have a text all the same: what hides them may be gone in a moment. */
	hidden: Set<Element>;
}

/** Those of the elements of HTML, each as it is seen. */
export type ShownTextsOf = (elements: Iterable<Element>) => ShownTexts;

/** Of an element, or of the part that browsers make of what `details` has beside its summary. */
type Box = [element: Element, part?: '::details-content'];

/**
 * Runs in a document, so it can use nothing that is outside of it. To be read, what browsers leave out far from the
 * window (`content-visibility: auto`) is laid out, around and inside of the elements: who scrolls there sees it. Around
 * those that say nothing then, so is what is hidden, and closed in `details`. An animation is no style of the page: no
 * policy refuses it, and no attribute changes.
 */
export function keepShownTexts(own: <Target extends Node>(node: Target) => Target): ShownTextsOf {
	/** So many that are hidden are laid out to be read: that takes long. Of more, the text is read as it stands in the document. */
	const mostLaidOut = 500;
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
	/** Lays out those boxes that are skipped in this way; what it returns puts them back. */
	const layOut = (boxes: Box[], how: 'auto' | 'hidden') => {
		const isSkipping = ([element, part]: Box) =>
			getComputedStyle(element, part).contentVisibility === how;
		const skipping = boxes.filter(isSkipping);
		const animations = skipping.map(([element, pseudoElement]) => {
			const keyframes = { contentVisibility: ['visible', 'visible'] };
			const timing = { duration: 1, fill: 'both', pseudoElement } as const;
			const animation = own(element).animate(keyframes, timing);
			animation.pause();
			return animation;
		});
		const restyled = skipping
			.filter((box) => box.length === 1 && isSkipping(box))
			.map(([element]) => restyle(element));
		return () => {
			for (const animation of animations) animation.cancel();
			for (const undo of restyled) undo();
		};
	};
	const addAround = (element: Element, seen: Set<Element>) => {
		let outer: Element | null = own(element).parentElement;
		for (; outer && !seen.has(outer); outer = own(outer).parentElement) seen.add(outer);
	};
	const layOutFarAway = (elements: Element[]) => {
		const seen = new Set<Element>();
		for (const element of elements) {
			if (!own(element).checkVisibility({ contentVisibilityAuto: true })) addAround(element, seen);
			seen.add(element);
			for (const inner of own(element).getElementsByTagName('*')) seen.add(inner);
		}
		return layOut(
			[...seen].map((each) => [each]),
			'auto',
		);
	};
	/** As a whole: what is hidden inside of them stays so. */
	const layOutHidden = (elements: Element[]) => {
		const around = new Set<Element>();
		for (const each of elements) addAround(each, around);
		const boxes = [...new Set([...elements, ...around])].map((each): Box => [each]);
		const details = [...around].filter((each) => each instanceof HTMLDetailsElement);
		return layOut([...boxes, ...details.map((each): Box => [each, '::details-content'])], 'hidden');
	};
	const isShown = (element: Element) => {
		const { contentVisibility, visibility } = getComputedStyle(element);
		return (
			own(element).checkVisibility() && contentVisibility !== 'hidden' && visibility === 'visible'
		);
	};
	const isInvisible = (element: Element) => getComputedStyle(element).visibility !== 'visible';
	const says = (text: string) => /\S/.test(text);

	return (elements) => {
		const all = [...new Set(elements)].filter((each) => each instanceof HTMLElement);
		const putBack = layOutFarAway(all);
		// To have browsers lay out one after the other of what they skip takes long.
		const seen = all.filter((each) => own(each).checkVisibility());
		const texts = new Map<Element, string>(seen.map((each) => [each, own(each).innerText]));
		const skipped = all.filter((each) => !texts.has(each));
		const blank = seen.filter((each) => !says(texts.get(each) ?? '') && !isShown(each));
		const isLaidOut = skipped.length + blank.length <= mostLaidOut;
		const hide = isLaidOut ? layOutHidden([...skipped, ...blank]) : () => undefined;
		const hidden = new Set<Element>();
		for (const each of skipped) {
			texts.set(each, isLaidOut ? own(each).innerText : '');
			// What is displayed nowhere has its text as it is.
			if (!isLaidOut || own(each).checkVisibility() || isInvisible(each)) blank.push(each);
		}
		for (const each of blank) {
			const hasNoLayout = !isLaidOut || isInvisible(each);
			const text = texts.get(each) || (hasNoLayout ? own(each).textContent : own(each).innerText);
			if (!says(text)) continue;
			texts.set(each, text);
			hidden.add(each);
		}
		hide();
		putBack();
		return { texts, hidden };
	};
}
