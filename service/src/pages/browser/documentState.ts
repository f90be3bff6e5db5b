/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';

/** What is kept in each document for those who read it, where its own scripts cannot come. */
export interface DocumentState {
	/** Milliseconds since scripts have changed the document; Infinity if they have not. */
	unchangedFor: () => number;
	/**
	 * Whether scripts may have something to do later: they have asked for a time, a frame or a moment of
	 * leisure, whose numbers count for all worlds of a document, or there are other documents inside.
	 */
	mayGoOn: () => boolean;
	/** The elements of loops, by where they were looked for. */
	lists: WeakMap<Node, Map<string, Element[]>>;
	/** Keeps an element for what is to be done with it; `find` gives it, or what has taken its place. */
	hand: (find: () => Element | null) => number;
	/** An element that was handed; throws when it is gone. */
	taken: (handed: number) => Element;
}

/** Names that no page can guess. */
export const worldName = `cloud-scraping-${randomUUID()}`;
const names = { state: worldName, ask: `${worldName}-ask`, answer: `${worldName}-answer` };

/** What is run in each document before its own scripts, in a world of its own. */
export const documentScript = `(${prepareDocument.toString()})(${JSON.stringify(names)})`;

/**
 * A selector engine for Playwright, which looks at pages from another world: nothing but the document is
 * in both. So an event asks for an element that was handed, and another one brings it.
 */
export const handedEngine = `({
	query(_root, handed) {
		let element = null;
		const take = ({ relatedTarget }) => (element = relatedTarget);
		addEventListener('${names.answer}', take);
		dispatchEvent(new CustomEvent('${names.ask}', { detail: Number(handed) }));
		removeEventListener('${names.answer}', take);
		return element;
	},
	queryAll(root, handed) {
		return [this.query(root, handed)].filter(Boolean);
	},
})`;

/** Runs in a document, so it can use nothing that is outside of it. */
function prepareDocument({ state, ask, answer }: typeof names): void {
	// Frames are not read.
	if (window !== window.top) return;
	let lastChange = -Infinity;
	const observer = new MutationObserver(() => (lastChange = performance.now()));
	const kinds = { childList: true, characterData: true, attributes: true, subtree: true };
	// What the parser makes is no change: whoever reads a page waits for that anyway.
	addEventListener('DOMContentLoaded', () => observer.observe(document, kinds), true);

	// Links and forms that open another window lead an agent nowhere: they open in its own.
	const keepHere = (opener: EventTarget | null | undefined, name: string) => {
		if (opener instanceof Element) Element.prototype.setAttribute.call(opener, name, '_self');
	};
	addEventListener(
		'click',
		(event) => {
			for (const each of event.composedPath()) {
				if (each instanceof HTMLAnchorElement || each instanceof HTMLAreaElement) {
					if (each.target !== '' || document.querySelector('base[target]'))
						keepHere(each, 'target');
				}
			}
		},
		true,
	);
	addEventListener(
		'submit',
		({ target, submitter }) => {
			keepHere(target, 'target');
			keepHere(submitter, 'formtarget');
		},
		true,
	);

	const handed: (() => Element | null)[] = [];
	const tell = (event: Event) => {
		if (!(event instanceof CustomEvent)) return;
		const relatedTarget = handed[Number(event.detail)]?.() ?? null;
		dispatchEvent(new MouseEvent(answer, { relatedTarget }));
	};
	/** How often this has asked for these itself. */
	let asked = 0;
	const own: DocumentState = {
		unchangedFor: () => performance.now() - lastChange,
		mayGoOn() {
			asked += 1;
			const [time, frame, leisure] = [
				window.setTimeout(() => undefined),
				requestAnimationFrame(() => undefined),
				requestIdleCallback(() => undefined),
			];
			clearTimeout(time);
			cancelAnimationFrame(frame);
			cancelIdleCallback(leisure);
			return window.length > 0 || Math.max(time, frame, leisure) > asked;
		},
		lists: new WeakMap(),
		hand(find) {
			// Again each time: a page that is written anew has lost its listeners.
			addEventListener(ask, tell);
			return handed.push(find) - 1;
		},
		taken(index) {
			const element = handed[index]?.();
			if (!element) throw new Error('The element is gone.');
			return element;
		},
	};
	Object.defineProperty(globalThis, state, { value: own });
}
