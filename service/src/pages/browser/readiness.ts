/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defaultTimeout, type RequestSettings } from '../requestSettings.ts';
import type { DocumentState } from './documentState.ts';
import type { HandedElement } from './handedElement.ts';
import { DocumentGone } from './isolatedWorld.ts';

// Whether a person could use an element now. Playwright would find that out as well, but asks each element
// around it for properties whose places the fields of a form take: so it is told not to look.

/** Milliseconds for an element that is there to take a click or a text: the browser may be busy with others. */
export const actionTimeout = 15_000;
/** Milliseconds between two looks at an element that can't be used yet. */
const interval = 100;
/** Looks after which what is in the way does not go away by itself. */
const patientLooks = 10;
/** Milliseconds for a dialog to go, and for which nothing changes any more once it has gone. */
const closingTime = 3_000;
const stillTime = 250;

const pointShape = z.object({ x: z.number(), y: z.number() });

const readinessShape = z.object({
	/** Why not; absent: it can. */
	lack: z.string().optional(),
	/** Where a click reaches it, from the corner of its page. */
	place: pointShape.optional(),
	/** Something is over it there. */
	isCovered: z.boolean().optional(),
});

type Readiness = z.output<typeof readinessShape>;

/** An element could not be used in all of its time. */
export class NotReady extends Error {
	readonly lack: string;

	constructor(lack: string) {
		super(`The element ${lack}.`);
		this.lack = lack;
	}
}

/** Milliseconds for an element, and for a page that comes of what is done with it. */
export interface Limits {
	ready: number;
	page: number;
}

export function limitsOf({ timeout = defaultTimeout }: RequestSettings): Limits {
	return { ready: actionTimeout, page: timeout };
}

/**
 * Clicks an element once a click reaches it; what has moved away from under a click is clicked again. `help`: for one that
 * cannot be clicked.
 */
export async function clickOn(
	element: HandedElement,
	{ ready, page }: Limits,
	help: () => Promise<void> = () => leaveDialog(element),
): Promise<void> {
	const end = performance.now() + ready;
	do {
		const patience = { timeout: end - performance.now(), help };
		const { place } = await untilReady(element, lookAtTarget, {}, patience);
		// Playwright says something to the element that it is given, in words that the fields of a form may take.
		const timeout = ready + page;
		await element.root.click({ timeout, force: true, scroll: 'none', position: place });
		if (await hasArrived(element)) return;
	} while (performance.now() < end);
	throw new NotReady('moves away from each click');
}

/** Whether the last click has reached its element; a page that has gone away had it. */
async function hasArrived(element: HandedElement): Promise<boolean> {
	try {
		return (await element.ask(({ hasArrived }) => hasArrived(), {})) === true;
	} catch (error) {
		if (error instanceof DocumentGone) return true;
		throw error;
	}
}

/**
 * A dialog is over all else on its page until somebody leaves it, as people do by Escape; so is what has come over what is
 * to be clicked, which people close by its button where it stays. Some are in disorder where a click comes before they have
 * gone, so they are given the time.
 */
export async function leaveDialog(element: HandedElement): Promise<void> {
	const isUnder = await element.ask(isUnderDialog, {}).catch(() => false);
	if (isUnder !== true) return;
	await element.root.press('Escape');
	await untilStill(element);
	const left = await element.ask(exitOf, {}).catch(() => ({}));
	const { exit } = z.object({ exit: pointShape.optional() }).parse(left);
	if (!exit) return;
	await element.root.page().mouse.click(exit.x, exit.y);
	await untilStill(element);
}

async function untilStill(element: HandedElement): Promise<void> {
	const end = performance.now() + closingTime;
	while (performance.now() < end && !(await isStill(element))) await sleep(interval);
}

/** Whether nothing has changed on its page for a while. */
async function isStill(element: HandedElement): Promise<boolean> {
	// JSON has no Infinity.
	const unchanged = element.ask(({ unchangedFor }) => Math.min(unchangedFor(), 1e6), {});
	return Number(await unchanged.catch(() => Infinity)) >= stillTime;
}

/** Asks until nothing is lacking, and for `help` after some looks; throws NotReady when time is over. */
export async function untilReady<Argument extends object>(
	element: HandedElement,
	look: (state: DocumentState, argument: Argument & { handed: number; align: number }) => unknown,
	argument: Argument,
	{ timeout, help }: { timeout: number; help?: () => Promise<void> },
): Promise<Readiness> {
	const end = performance.now() + timeout;
	for (let align = 0, looks = 1; ; looks += 1) {
		const now = readinessShape.parse(
			await element.ask(look, { ...argument, align }).catch(whileGone),
		);
		if (now.lack === undefined) return now;
		if (performance.now() >= end) throw new NotReady(now.lack);
		if (now.isCovered) align += 1;
		if (looks === patientLooks) await help?.();
		await sleep(interval);
	}
}

/** Another page has come: the element may not be there any more. */
function whileGone(error: unknown): Readiness {
	if (error instanceof DocumentGone) return { lack: 'is gone' };
	throw error;
}

// What follows runs in the page, so it can use nothing that is outside of it.

function isUnderDialog(
	{ own, taken, dialogs, overlays }: DocumentState,
	{ handed }: { handed: number },
): unknown {
	const element = taken(handed);
	return overlays.isOver(handed) || dialogs.now().some((dialog) => !own(dialog).contains(element));
}

function exitOf({ overlays }: DocumentState, { handed }: { handed: number }): unknown {
	return { exit: overlays.exit(handed) };
}

/** Of something to be typed into, or chosen from: what is under a dialog that is shown as a modal one takes no text. */
export function lookAtField(
	{ own, usable }: DocumentState,
	{ handed }: { handed: number },
): unknown {
	const found = usable(handed);
	if (found.lack !== undefined) return { lack: found.lack };
	const { target } = found;
	const dialogs = [...document.querySelectorAll(':modal')].filter((each) =>
		own(each).checkVisibility(),
	);
	if (dialogs.length > 0 && !dialogs.some((each) => own(each).contains(target)))
		return { lack: 'is under a dialog' };
	const canBeFixed = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
	return canBeFixed && target.readOnly ? { lack: 'is read-only' } : {};
}

/** Of something to be clicked; `align` says where on the screen to bring it. */
async function lookAtTarget(
	{ own, usable, isMeantFor, awaitPress, nextFrame, overlays }: DocumentState,
	{ handed, align }: { handed: number; align: number },
): Promise<unknown> {
	const found = usable(handed);
	if (found.lack !== undefined) return { lack: found.lack };
	const { seen, target } = found;
	const { around, boxes } = seen;
	const block = ([undefined, 'end', 'center', 'start'] as const)[align % 4];
	const scroll: unknown = Reflect.get(Element.prototype, 'scrollIntoViewIfNeeded');
	if (block) own(around).scrollIntoView({ block, inline: block, behavior: 'instant' });
	else if (scroll instanceof Function) scroll.call(around);
	const first = await nextFrame();
	const before = JSON.stringify(boxes());
	// On a busy machine, several frames may be of the same time.
	while ((await nextFrame()) - first < 10);
	const now = boxes();
	if (JSON.stringify(now) !== before) return { lack: 'moves' };
	const point = now
		.map(({ left, top, right, bottom }) => ({
			from: { x: Math.max(left, 0), y: Math.max(top, 0) },
			to: { x: Math.min(right, innerWidth), y: Math.min(bottom, innerHeight) },
		}))
		.filter(({ from, to }) => to.x > from.x && to.y > from.y)
		.map(({ from, to }) => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }))[0];
	if (!point) return { lack: 'is outside of what can be seen', isCovered: true };
	const hit = document.elementFromPoint(point.x, point.y);
	if (!hit) return { lack: 'takes no clicks', isCovered: true };
	const { left, top } = document.documentElement.getBoundingClientRect();
	const { clientLeft, clientTop } = document.documentElement;
	const place = { x: point.x - left - clientLeft, y: point.y - top - clientTop };
	if (isMeantFor(hit, target)) {
		awaitPress(handed);
		return { place };
	}
	overlays.note(handed, target, point);
	const id = own(hit).getAttribute('id');
	const cover = id === null ? own(hit).localName : `${own(hit).localName}#${id}`;
	return { lack: `is covered by ${cover.slice(0, 100)}`, isCovered: true };
}
