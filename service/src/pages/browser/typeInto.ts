/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import { PageError, type Switched, type TypedText } from '../page.ts';
import { tickedBy } from '../ticked.ts';
import { notABoxState, saidText, untypable, wantedInstead } from '../typedText.ts';
import type { DocumentState } from './documentState.ts';
import type { HandedElement } from './handedElement.ts';
import type { Network } from './network.ts';
import { actionTimeout, leaveDialog, lookAtField, untilReady } from './readiness.ts';
import { WatchedSwitch } from './switches.ts';

/** What was typed, or switched. */
export interface Typed extends TypedText {
	/** Takes it back. */
	undo(): Promise<unknown>;
	/** Types it again, where its page has come again, or switches it. */
	redo(): Promise<void>;
	/** To what it was switched. */
	isOn?: Switched;
	/** Whether it was ticked or chosen: no text, and nothing that is only shown so. */
	isChoice?: boolean;
	/** Whether a switch is as it was before: pages close by themselves what was opened. */
	isUndone?: () => Promise<boolean>;
}

const focusTaken = 'something else on the page keeps the focus, as a dialog does';

/** Which element a script in the page is about. */
interface Handed {
	handed: number;
}

const fieldShape = z.object({
	/** Of an `input`; of another one, its name. */
	type: z.string(),
	/** What it holds; of a box, what it sends. */
	value: z.string(),
	isOn: z.boolean(),
	hasFocus: z.boolean(),
	/** What its type makes of a text. */
	made: z.string(),
	maxLength: z.number().optional(),
});

/**
 * Types a text into a field in the place of what it holds, chooses the option of that name, or ticks a box.
 * Throws a PageError where the field does not take it. Returns what takes it back, and what the field holds
 * if a script has made something else of it.
 */
export async function typeInto(
	field: HandedElement,
	text: string,
	name: string,
): Promise<Omit<Typed, 'redo'>> {
	const describe = async () => fieldShape.parse(await field.ask(describeField, { text }));
	const { type, value, isOn, made, maxLength } = await describe();
	const { locator } = field;
	const timeout = actionTimeout;
	const patience = { timeout, help: () => leaveDialog(field) };
	/** Another page may have come by now, or another field. */
	const heldUnless = async (isAsTyped: (now: z.output<typeof fieldShape>) => boolean) => {
		const now = await describe().catch(() => undefined);
		if (now?.type !== type || isAsTyped(now)) return undefined;
		const held = isBox(type) ? String(now.isOn) : now.value;
		return { held: saidText(held, type), typed: saidText(text, type) };
	};
	if (isBox(type)) {
		const wanted = tickedBy(text, value);
		if (wanted === undefined || (type === 'radio' && !wanted)) {
			throw new PageError(`${name} ${notABoxState(text)}.`);
		}
		const before = await WatchedSwitch.of(field);
		await untilReady(field, tick, { wanted }, { timeout });
		const held = await heldUnless(({ isOn }) => isOn === wanted);
		return { undo: async () => before?.undo(), isNew: isOn !== wanted, held, isChoice: true };
	}
	if (type === 'select') {
		await untilReady(field, lookAtField, {}, patience);
		await untilReady(field, choose, { wanted: text }, { timeout });
		const now = await describe().catch(() => undefined);
		const undo = () => field.ask(choose, { wanted: value, isValue: true });
		return { undo, isNew: now?.value !== value, isChoice: true };
	}
	if (untypable.has(type)) throw new PageError(`${name} is not a field that takes text.`);
	const refusal = wantedInstead(text, { type, made, maxLength });
	if (refusal !== undefined) throw new PageError(`${name} ${refusal}.`);
	await untilReady(field, lookAtField, {}, patience);
	const fill = async () => {
		await locator.fill(made, { timeout, force: true });
		// Old scripts listen to keys alone: one that writes nothing, with the whole text in its place.
		await locator.press('Shift', { timeout }).catch(() => undefined);
	};
	/** Whether the text went elsewhere: dialogs made by scripts take the focus back. */
	const isElsewhere = async () => {
		const now = await describe().catch(() => undefined);
		return now?.type === type && now.value === value && value !== made && !now.hasFocus;
	};
	await fill();
	if (await isElsewhere()) {
		await leaveDialog(field);
		await fill();
		if (await isElsewhere()) throw new PageError(`${name} takes no text: ${focusTaken}.`);
	}
	return {
		undo: () => locator.fill(value, { timeout, force: true }),
		isNew: value !== made,
		held: await heldUnless((now) => now.value === made),
	};
}

/** What is to be done, at first and again. */
export function notDoneYet(work: (typed: Typed) => Promise<void>): Typed {
	const undo = () => Promise.resolve();
	const typed: Typed = { undo, redo: () => work(typed), isNew: false };
	return typed;
}

/** Leaves a field: there are scripts that wait for that. */
export async function leaveIn({ locator }: HandedElement): Promise<void> {
	await locator.blur();
}

function isBox(type: string): boolean {
	return type === 'checkbox' || type === 'radio';
}

/**
 * Does again on a page that has come again what was typed or switched before, and is not there. Where what comes of it is
 * looked at behind it, a field that the page lacks is passed over: sites remember who has logged in.
 */
export async function typeAgain(
	typed: Typed[],
	now: () => { typed: Typed[] },
	isLookedAt = false,
): Promise<void> {
	for (const each of typed) {
		if (now().typed.includes(each)) continue;
		try {
			await each.redo();
		} catch (error) {
			if (!isLookedAt || !(error instanceof PageError) || error.outage) throw error;
			now().typed.push(each);
		}
	}
}

/** The last first. Scripts may have taken a field away: then there is nothing to undo. */
export async function undoAllBut(
	kept: Typed[],
	use: { typed: Typed[] },
	network: Network,
): Promise<void> {
	const undone = use.typed.filter((each) => !kept.includes(each));
	if (undone.length === 0) return;
	use.typed = use.typed.filter((each) => kept.includes(each));
	await network.settleAfterTyping(async () => {
		for (const each of undone.toReversed()) await each.undo().catch(() => undefined);
	});
}

// What follows runs in the page, so it can use nothing that is outside of it.

function describeField(
	{ own, taken }: DocumentState,
	{ handed, text }: Handed & { text: string },
): unknown {
	const element = taken(handed);
	const field = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
	const isInput = field instanceof HTMLInputElement;
	const isText = isInput || field instanceof HTMLTextAreaElement;
	let made = isText ? text.replace(/\r\n?/g, '\n') : text;
	if (isInput && field.type !== 'file') {
		// One like it, of which no script knows.
		const like = own(document).createElement('input');
		for (const name of ['type', 'value', 'min', 'max', 'step', 'multiple']) {
			const said = field.getAttribute(name);
			if (said !== null) like.setAttribute(name, said);
		}
		like.value = made;
		made = like.value;
	}
	const hasValue = 'value' in field && typeof field.value === 'string';
	return {
		type: isInput ? field.type : own(field).localName,
		value: hasValue ? field.value : made,
		isOn: isInput && field.checked,
		hasFocus: own(field).matches(':focus'),
		made,
		...(isText && field.maxLength >= 0 && { maxLength: field.maxLength }),
	};
}

/** Clicks a box unless it is as wanted: by script, because many are hidden behind what is drawn for them. */
function tick({ taken }: DocumentState, { handed, wanted }: Handed & { wanted: boolean }): unknown {
	const element = taken(handed);
	const box = element instanceof HTMLLabelElement ? element.control : element;
	if (!(box instanceof HTMLInputElement) || box.checked === wanted) return {};
	if (box.matches(':disabled')) return { lack: 'is disabled' };
	box.click();
	return {};
}

/** Chooses the option with this value or name. */
function choose(
	{ taken }: DocumentState,
	{ handed, wanted, isValue = false }: Handed & { wanted: string; isValue?: boolean },
): unknown {
	const list = taken(handed);
	if (!(list instanceof HTMLSelectElement)) throw new Error('The element is no list of options.');
	const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
	const options = [...list.options];
	// A value is no name: what people see may be the number that another option sends.
	const named = isValue ? undefined : options.find(({ label }) => folded(label) === folded(wanted));
	const option = named ?? options.find(({ value }) => value === wanted);
	if (!option) return { lack: `has no option ${wanted}` };
	if (option.matches(':disabled')) return { lack: `has an option ${wanted}, but that is disabled` };
	for (const each of list.options) each.selected = each === option;
	list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	list.dispatchEvent(new Event('change', { bubbles: true }));
	return {};
}
