/// <reference lib="dom" />
import type { DocumentState } from './documentState.ts';

/**
 * Has links and forms that open another window, which leads an agent nowhere, open in its own, and so those for a frame,
 * of which nothing is read. What is meant for a frame that nobody sees comes there: that is for scripts of the page. Runs
 * in a document, so it can use nothing that is outside of it.
 */
export function keepLinksHere(own: DocumentState['own']): void {
	const said = (opener: EventTarget | null, name: string) =>
		opener instanceof Element ? own(opener).getAttribute(name) : null;
	const isSeen = (frame: Element) => {
		const boxes = [...own(frame).getClientRects()];
		const isShown = own(frame).checkVisibility({ visibilityProperty: true });
		return isShown && boxes.some(({ width, height }) => width > 1 && height > 1);
	};
	const isForScripts = (window: string | null) =>
		[...document.querySelectorAll('iframe[name], frame[name]')].some(
			(frame) => said(frame, 'name') === window && !isSeen(frame),
		);
	const openHere = (opener: EventTarget | null, name: string) => {
		if (opener instanceof Element) own(opener).setAttribute(name, '_self');
	};
	addEventListener(
		'click',
		(event) => {
			for (const each of event.composedPath()) {
				if (!(each instanceof HTMLAnchorElement || each instanceof HTMLAreaElement)) continue;
				const base = document.querySelector('base[target]');
				const window = said(each, 'target') ?? said(base, 'target');
				if (window && !isForScripts(window)) openHere(each, 'target');
			}
		},
		true,
	);
	addEventListener(
		'submit',
		({ target, submitter }) => {
			const base = document.querySelector('base[target]');
			const window =
				said(submitter, 'formtarget') ?? said(target, 'target') ?? said(base, 'target');
			if (isForScripts(window)) return;
			openHere(target, 'target');
			openHere(submitter, 'formtarget');
		},
		true,
	);
}
