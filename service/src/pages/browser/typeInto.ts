/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import { PageError } from '../page.ts';
import { tickedBy } from '../ticked.ts';
import type { DocumentState } from './documentState.ts';
import type { HandedElement } from './elements.ts';
import type { Network } from './network.ts';
import { lookAtField, untilReady, type Limits } from './readiness.ts';
import { WatchedSwitch } from './switches.ts';

/** What was typed. */
export interface Typed {
	/** Takes it back. */
	undo(timeout: number): Promise<unknown>;
	/** Types it again, where its page has come again. */
	redo?(): Promise<void>;
}

/** Which element a script in the page is about. */
interface Handed {
	handed: number;
}

const fieldShape = z.object({ kind: z.string(), value: z.string() });

/**
 * Types a text into a field in the place of what it holds, chooses the option of that name, or ticks a box.
 * Returns what takes it back.
 */
export async function typeInto(
	field: HandedElement,
	text: string,
	timeout: number,
): Promise<Typed['undo']> {
	const { kind, value } = fieldShape.parse(await field.ask(describeField, {}));
	const { locator } = field;
	if (kind === 'checkbox' || kind === 'radio') {
		const wanted = tickedBy(text, value);
		if (wanted === undefined || (kind === 'radio' && !wanted)) {
			throw new PageError(`The field is a box: its text must be true or false, not "${text}".`);
		}
		const before = await WatchedSwitch.of(field);
		await field.ask(tick, { wanted });
		return async () => before?.undo();
	}
	await untilReady(field, lookAtField, {}, { timeout });
	if (kind === 'select') {
		await untilReady(field, choose, { wanted: text }, { timeout });
		return () => field.ask(choose, { wanted: value });
	}
	await locator.fill(text, { timeout, force: true });
	return (time) => locator.fill(value, { timeout: time, force: true });
}

/** Sends the form of a field: by Enter, or, where Enter means something else, as its button does. */
export async function submitFrom(field: HandedElement, { ready, page }: Limits): Promise<void> {
	if (z.boolean().parse(await field.ask(takesEnter, {}))) {
		return field.locator.press('Enter', { timeout: ready + page });
	}
	if (z.boolean().parse(await field.ask(sendForm, {}))) return;
	throw new PageError('The field is in no form that could be sent.');
}

/** The last first. Scripts may have taken a field away: then there is nothing to undo. */
export async function undoAll(typed: Typed[], network: Network, timeout: number): Promise<void> {
	if (typed.length === 0) return;
	await network.settleAfterTyping(async () => {
		for (const each of typed.toReversed()) await each.undo(timeout).catch(() => undefined);
	});
}

// What follows runs in the page, so it can use nothing that is outside of it.

function describeField({ own, taken }: DocumentState, { handed }: Handed): unknown {
	const element = taken(handed);
	return {
		kind:
			element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)
				? element.type
				: own(element).localName,
		value: 'value' in element && typeof element.value === 'string' ? element.value : '',
	};
}

/** Clicks a box unless it is as wanted: by script, because many are hidden behind what is drawn for them. */
function tick({ taken }: DocumentState, { handed, wanted }: Handed & { wanted: boolean }): void {
	const element = taken(handed);
	if (element instanceof HTMLInputElement && element.checked !== wanted) element.click();
}

/** Chooses the option with this value or name. */
function choose(
	{ taken }: DocumentState,
	{ handed, wanted }: Handed & { wanted: string },
): unknown {
	const list = taken(handed);
	if (!(list instanceof HTMLSelectElement)) throw new Error('The element is no list of options.');
	const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
	const option = [...list.options].find(
		({ value, label }) => value === wanted || folded(label) === folded(wanted),
	);
	if (!option) return { lack: `has no option ${wanted}` };
	if (option.matches(':disabled')) return { lack: `has an option ${wanted}, but that is disabled` };
	for (const each of list.options) each.selected = each === option;
	list.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	list.dispatchEvent(new Event('change', { bubbles: true }));
	return {};
}

function takesEnter({ taken }: DocumentState, { handed }: Handed): unknown {
	return taken(handed) instanceof HTMLInputElement;
}

/** Sends the form of a field by its first button that does so; false if it has no form. */
function sendForm({ own, taken }: DocumentState, { handed }: Handed): unknown {
	const element = taken(handed);
	const form = 'form' in element ? element.form : undefined;
	if (!(form instanceof HTMLFormElement)) return false;
	const button = [...own(form).elements].find(
		(each) =>
			(each instanceof HTMLButtonElement || each instanceof HTMLInputElement) &&
			each.type === 'submit',
	);
	own(form).requestSubmit(button instanceof HTMLElement ? button : undefined);
	return true;
}
