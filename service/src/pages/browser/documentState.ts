/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import { keepChoices, type Choices } from './choices.ts';
import { keepShownParts, type ShownParts } from './shownParts.ts';
import { keepUnhidden, type Unhidden } from './hiddenByStep.ts';
import { keepLeftView, type LeftView } from './leftView.ts';
import { keepLoopElements, type LoopElements } from './loopElements.ts';
import { keepMarkPlaces } from './markPlaces.ts';
import { keepLinksHere } from './openHere.ts';
import { keepOwnParts, type OwnParts } from './ownParts.ts';
import { keepOtherPanels } from './otherPanels.ts';
import { keepOverlays, type Overlays } from './overlays.ts';
import { keepReadingOrder, type InReadingOrder } from './readingOrder.ts';
import { keepRowPlaces, type PlacesOfRows } from './rowPlaces.ts';
import { keepRowsToCome, type RowsToComeOf } from './rowsToCome.ts';
import { keepScrolls, type Scrolls } from './scrolls.ts';
import { keepSeenAt, type Seen, type SeenAt } from './seenAt.ts';
import { keepShownDialogs, type ShownDialogs } from './shownDialogs.ts';
import { keepShownTexts, type ShownTextsOf } from './shownTexts.ts';
import { keepTimers, tellTimers, timerLimits, type Timers } from './timers.ts';

/** What is kept in each document for those who read it, where its own scripts cannot come. */
export interface DocumentState {
	/**
	 * A node as its prototypes have it: the fields of a form take the places of its properties and methods,
	 * in all worlds. For one use: what asks for a node does not take this.
	 */
	own: <Target extends Node>(node: Target) => Target;
	seenAt: SeenAt;
	/** Whether the control that an element is, is in, or labels is disabled or said to be so, or the mouse passes what is clicked. */
	isDisabled: (element: Element) => boolean;
	/**
	 * Where an element that was handed is seen, and the control that it is a part of; or why nobody could use
	 * it now.
	 */
	usable: (handed: number) => { lack: string } | { lack: undefined; seen: Seen; target: Element };
	/** Whether a press on one element is meant for another: it is inside of that, or in its label. */
	isMeantFor: (hit: Element, target: Element) => boolean;
	/**
	 * A handed element is about to be clicked. Whatever else the press comes down on, because the page has
	 * moved meanwhile, takes no notice of it.
	 */
	awaitPress: (handed: number) => void;
	/** Whether that press has reached its element; also if it was another document that awaited one. */
	hasArrived: () => boolean;
	/** Something is about to be done that may send a form. */
	awaitRefusal: () => void;
	/** The first field for which, since then, a form was not sent. */
	refused: () => Element | undefined;
	/**
	 * Milliseconds since scripts have changed the document, or something was seen to move in it that comes to an
	 * end soon, as a list does that leaves its place to another; Infinity if neither was.
	 */
	unchangedFor: () => number;
	/** Milliseconds since it has changed, where that was after the last of these questions; else undefined. */
	changedAgo: () => number | undefined;
	timesLeft: Timers['timesLeft'];
	goOnAtOnce: Timers['goOnAtOnce'];
	/** Whether a frame has come since it has changed. */
	isDrawn: () => boolean;
	/**
	 * Whether scripts may have something to do later: at a time, with a frame or in a moment of leisure, or in other
	 * documents inside.
	 */
	mayGoOn: () => boolean;
	/**
	 * Resolves to whether nothing of the page is waiting for its turn. Scripts that make much of a page at once, as
	 * React does, work on it in slices and show nothing before the last one: then it is false, after a while.
	 */
	isIdle: () => Promise<boolean>;
	/** A step of the task follows. */
	beginStep: () => void;
	/** Whether scripts have asked for any of these since then, or something has moved, whose end they may wait for. */
	hasBegunInStep: () => boolean;
	/** Resolves to the time of the next frame, where what moves has moved. */
	nextFrame: () => Promise<number>;
	scrolls: Scrolls;
	dialogs: ShownDialogs;
	overlays: Overlays;
	choices: Choices;
	leftView: LeftView;
	/** Of elements that are to be read those that no step has hidden, and that stand in no view that was left. */
	unhidden: Unhidden;
	shownParts: ShownParts;
	ownParts: OwnParts;
	inReadingOrder: InReadingOrder;
	rowsToCome: RowsToComeOf;
	placesOfRows: PlacesOfRows;
	loopElements: LoopElements;
	shownTexts: ShownTextsOf;
	/** Keeps an element for what is to be done with it; `find` gives it, or what has taken its place. */
	hand: (find: () => Element | null) => number;
	/** An element that was handed; throws when it is gone. */
	taken: (handed: number) => Element;
}

/** As browsers have it: https://wicg.github.io/scheduling-apis. */
declare const scheduler: {
	postTask<Result>(
		task: () => Result,
		options: { priority: 'user-blocking' | 'background'; delay?: number },
	): Promise<Result>;
};

/** Names that no page can guess. */
export const worldName = `cloud-scraping-${randomUUID()}`;
const given = {
	state: worldName,
	ask: `${worldName}-ask`,
	answer: `${worldName}-answer`,
	told: `${worldName}-told`,
	timerLimits,
};

/** What is run in each document before its own scripts, in a world of its own. */
export const documentScript = `(${prepareDocument.toString()})(${JSON.stringify(given)}, ${keepLoopElements.toString()}, ${keepShownTexts.toString()}, ${keepUnhidden.toString()}, ${keepOtherPanels.toString()}, ${keepShownParts.toString()}, ${keepOwnParts.toString()}, ${keepMarkPlaces.toString()}, ${keepReadingOrder.toString()}, ${keepRowsToCome.toString()}, ${keepRowPlaces.toString()}, ${keepScrolls.toString()}, ${keepShownDialogs.toString()}, ${keepChoices.toString()}, ${keepSeenAt.toString()}, ${keepTimers.toString()}, ${keepLinksHere.toString()}, ${keepLeftView.toString()}, ${keepOverlays.toString()})`;

/** The same in the world of these. */
export const timersScript = `(${tellTimers.toString()})(${JSON.stringify(given.told)})`;

/**
 * A selector engine for Playwright, which looks at pages from another world: nothing but the document is
 * in both. So an event asks for an element that was handed, and another one brings it.
 */
export const handedEngine = `({
	query(_root, handed) {
		let element = null;
		const take = ({ relatedTarget }) => (element = relatedTarget);
		addEventListener('${given.answer}', take);
		dispatchEvent(new CustomEvent('${given.ask}', { detail: Number(handed) }));
		removeEventListener('${given.answer}', take);
		return element;
	},
	queryAll(root, handed) {
		return [this.query(root, handed)].filter(Boolean);
	},
})`;

/** Runs in a document, so it can use nothing that is outside of it. */
function prepareDocument(
	{ state, ask, answer, told, timerLimits: limits }: typeof given,
	keepElements: typeof keepLoopElements,
	keepTexts: typeof keepShownTexts,
	keepShown: typeof keepUnhidden,
	keepPanels: typeof keepOtherPanels,
	keepShowing: typeof keepShownParts,
	keepParts: typeof keepOwnParts,
	keepPlaces: typeof keepMarkPlaces,
	keepOrder: typeof keepReadingOrder,
	keepToCome: typeof keepRowsToCome,
	keepRows: typeof keepRowPlaces,
	keepScrolled: typeof keepScrolls,
	keepDialogs: typeof keepShownDialogs,
	keepChosen: typeof keepChoices,
	keepSeen: typeof keepSeenAt,
	keepTimes: typeof keepTimers,
	keepHere: typeof keepLinksHere,
	keepLeft: typeof keepLeftView,
	keepOver: typeof keepOverlays,
): void {
	// Frames are not read.
	if (window !== window.top) return;
	const fromPrototypes: ProxyHandler<Node> = {
		get(node, name) {
			const value: unknown = Reflect.get(Reflect.getPrototypeOf(node) ?? {}, name, node);
			const bound: unknown = value instanceof Function ? value.bind(node) : value;
			return bound;
		},
	};
	const own = <Target extends Node>(node: Target) => new Proxy<Target>(node, fromPrototypes);

	// Milliseconds: what moves for longer, or without an end, only adorns the page.
	const [longestMove, longestTurn] = [2_000, 100];
	let [lastChange, hasMoved, wasMoving] = [-Infinity, false, false];
	/** How often it has changed, how many of these changes a frame has come after, and how many are known outside. */
	let [changes, drawn, seen] = [0, 0, 0];
	const timers = keepTimes(told, limits);
	const { nextFrame } = timers;
	/** Scripts go on with the next frame, as where a movement has ended. On a busy machine that is late. */
	const awaitFrame = async () => {
		for (let upTo = changes; drawn < changes; upTo = changes) {
			await nextFrame();
			drawn = upTo;
		}
	};
	const hasToBeDrawn = () => {
		changes += 1;
		// Else one is awaited already.
		if (drawn === changes - 1) void awaitFrame();
	};
	const hasChanged = () => {
		lastChange = performance.now();
		hasToBeDrawn();
	};
	const observer = new MutationObserver((records) => {
		hasChanged();
		if (records.some(({ type }) => type !== 'attributes')) timers.noteChange();
	});
	const kinds = { childList: true, characterData: true, attributes: true, subtree: true };
	// What the parser makes is no change: whoever reads a page waits for that anyway.
	addEventListener('DOMContentLoaded', () => observer.observe(document, kinds), true);

	const endsSoon = ({ playState, effect, currentTime, playbackRate }: Animation) => {
		const end = Number(effect?.getComputedTiming().endTime ?? Infinity);
		const left = (end - Number(currentTime ?? 0)) / Math.abs(playbackRate);
		return playState === 'running' && left < longestMove;
	};

	keepHere(own);

	const [scrolls, inReadingOrder] = [keepScrolled(own), keepOrder(own)];
	const choices = keepChosen(own);
	const controls =
		'a, button, input, select, textarea, option, [role=button], [role=checkbox], [role=radio]';
	const seenAt = keepSeen(own);
	const [leftView, shownParts] = [keepLeft(own), keepShowing(own)];
	const shown = keepShown(seenAt, {
		own,
		otherPanels: keepPanels(own),
		shownParts,
		// What stands in the head, and what pages put others of their own in the place of.
		isUsedUnseen: (element) =>
			own(element).matches('link[href], select, [type=checkbox], [type=radio]'),
	});
	const unhidden: Unhidden = (root, elements, how) =>
		shown(root, root === document ? leftView.without(elements) : elements, how);
	const isDisabled = (element: Element) => {
		const target = targetOf(element);
		const around = (wanted: string) => own(element).closest(wanted) ?? own(target).closest(wanted);
		const control = around('button, input, select, textarea, option, optgroup');
		const said = around('[aria-disabled=true i], [aria-disabled=false i]');
		const isOff = control !== null && own(control).matches(':disabled');
		const isSaid = said !== null && own(said).matches('[aria-disabled=true i]');
		// As in a pager of Bootstrap: what is clicked there is what is around it. A label is clicked itself, as many are drawn
		// over controls that let the mouse pass.
		const clicked = own(element).closest(`${controls}, label`) ?? element;
		const isPassed = getComputedStyle(clicked).pointerEvents === 'none';
		// What scripts have defined as an element says so, but no selector knows it.
		return isOff || isSaid || isPassed || around('[disabled]')?.localName.includes('-') === true;
	};
	const lackOf = (element: Element) => {
		if (isDisabled(element)) return 'is disabled';
		return own(targetOf(element)).closest('[inert]') ? 'is inert' : undefined;
	};

	const handed: (() => Element | null)[] = [];
	/** What a click on an element is meant for. */
	const targetOf = (element: Element) => {
		const { control = null } = own(element).closest('label') ?? {};
		return own(element).closest(controls) ?? control ?? element;
	};
	const isMeantFor = (hit: Element, target: Element) =>
		own(target).contains(hit) || targetOf(hit) === target;

	let awaited: { handed: number; reached?: boolean } | undefined;
	const press = (event: Event) => {
		if (!awaited || !event.isTrusted) return;
		if (event.type === 'pointerdown') {
			const element = handed[awaited.handed]?.();
			const { target: hit } = event;
			awaited.reached =
				element && hit instanceof Element ? isMeantFor(hit, targetOf(element)) : false;
		}
		if (awaited.reached !== false) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const listenForPress = () => {
		for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
			addEventListener(type, press, { capture: true, passive: false });
		}
	};
	listenForPress();

	let refused: Element | undefined;
	const refuse = ({ target, isTrusted }: Event) => {
		if (isTrusted && target instanceof Element) refused ??= target;
	};
	const accept = () => (refused = undefined);

	const tell = (event: Event) => {
		if (!(event instanceof CustomEvent)) return;
		const relatedTarget = handed[Number(event.detail)]?.() ?? null;
		dispatchEvent(new MouseEvent(answer, { relatedTarget }));
	};
	let beforeStep: number[] = [];
	const kept: DocumentState = {
		own,
		seenAt,
		isDisabled,
		usable(index) {
			const element = handed[index]?.();
			if (!element) return { lack: 'is gone' };
			const seen = seenAt(element);
			if (!seen) return { lack: 'is hidden' };
			const target = targetOf(element);
			scrolls.noteAround(element);
			const lack = lackOf(element);
			return lack === undefined ? { lack, seen, target } : { lack };
		},
		isMeantFor,
		awaitPress(index) {
			// Again each time, as below.
			listenForPress();
			awaited = { handed: index };
			choices.note(() => handed[index]?.() ?? null);
		},
		hasArrived() {
			const press = awaited;
			awaited = undefined;
			if (!press || press.reached !== undefined) return press?.reached ?? true;
			// What comes down on another document is not said to this one.
			const element = handed[press.handed]?.();
			const documents = 'iframe, frame, object, embed';
			return (
				element instanceof Element &&
				(own(element).matches(documents) || own(element).querySelector(documents) !== null)
			);
		},
		awaitRefusal() {
			refused = undefined;
			// Again each time, as above.
			addEventListener('invalid', refuse, true);
			addEventListener('submit', accept, true);
		},
		refused: () => refused,
		unchangedFor() {
			const isMoving = own(document).getAnimations().some(endsSoon);
			hasMoved ||= isMoving;
			if (isMoving) hasChanged();
			// Scripts hear of the end with the next frame.
			else if (wasMoving) hasToBeDrawn();
			wasMoving = isMoving;
			seen = changes;
			return performance.now() - lastChange;
		},
		changedAgo: () => (changes > seen ? performance.now() - lastChange : undefined),
		timesLeft: timers.timesLeft,
		goOnAtOnce: timers.goOnAtOnce,
		mayGoOn: () => window.length > 0 || timers.mayCome(),
		isIdle: () =>
			Promise.race([
				scheduler.postTask(() => true, { priority: 'background' }),
				scheduler.postTask(() => false, { priority: 'user-blocking', delay: longestTurn }),
			]),
		beginStep() {
			[beforeStep, hasMoved] = [timers.asked(), false];
			timers.beginStep();
		},
		hasBegunInStep: () =>
			hasMoved || timers.asked().some((times, index) => times > (beforeStep[index] ?? 0)),
		isDrawn: () => drawn === changes,
		nextFrame,
		scrolls,
		dialogs: keepDialogs(own),
		overlays: keepOver(own),
		choices,
		leftView,
		unhidden,
		shownParts,
		ownParts: keepParts(own),
		inReadingOrder,
		rowsToCome: keepToCome(own, scrolls),
		placesOfRows: keepRows(own, scrolls),
		loopElements: keepElements(own, { unhidden, inReadingOrder }, keepPlaces),
		shownTexts: keepTexts(own),
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
	Object.defineProperty(globalThis, state, { value: kept });
}
