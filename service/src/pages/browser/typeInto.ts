/// <reference lib="dom" />
import type { ElementHandle, JSHandle } from 'playwright-core';
import { PageError } from '../page.ts';
import { tickedBy } from '../ticked.ts';

/** What was typed, and how to take it back. */
export interface Typed {
	undo(timeout: number): Promise<unknown>;
}

type Field = ElementHandle<Element>;

/** Types a text into a field in the place of what it holds, chooses the option of that name, or ticks a box. */
export async function typeInto(field: Field, text: string, timeout: number): Promise<Typed> {
	const { kind, value } = await field.evaluate((element) => ({
		kind:
			element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)
				? element.type
				: element.localName,
		value: 'value' in element && typeof element.value === 'string' ? element.value : '',
	}));
	if (kind === 'checkbox' || kind === 'radio') {
		const wanted = tickedBy(text, value);
		if (wanted === undefined || (kind === 'radio' && !wanted)) {
			throw new PageError(`The field is a box: its text must be true or false, not "${text}".`);
		}
		return tick(field, wanted);
	}
	if (kind === 'select') {
		await field.selectOption(text, { timeout });
		return { undo: (time) => field.selectOption(value, { timeout: time, force: true }) };
	}
	await field.fill(text, { timeout });
	return { undo: (time) => field.fill(value, { timeout: time, force: true }) };
}

/** Clicks a box unless it is as wanted. By script, because many are hidden behind what is drawn for them. */
async function tick(field: Field, wanted: boolean): Promise<Typed> {
	const before: JSHandle<HTMLInputElement | null> = await field.evaluateHandle(
		(element, wanted) => {
			if (!(element instanceof HTMLInputElement) || element.checked === wanted) return null;
			const group = [...(element.form ?? document).querySelectorAll('input')].filter(
				({ type, name }) => type === 'radio' && element.type === 'radio' && name === element.name,
			);
			const other = group.find(({ checked }) => checked) ?? element;
			element.click();
			return other;
		},
		wanted,
	);
	return {
		undo: () =>
			field.evaluate((element, before) => {
				if (!before || !(element instanceof HTMLInputElement)) return;
				if (before === element && element.type === 'radio') element.checked = false;
				else before.click();
			}, before),
	};
}

/** Sends the form of a field: by Enter, or, where Enter means something else, as its button does. */
export async function submitFrom(field: Field, timeout: number): Promise<void> {
	const takesEnter = await field.evaluate(({ localName }) => localName === 'input');
	if (takesEnter) return field.press('Enter', { timeout });
	const hasForm = await field.evaluate((element) => {
		const form = 'form' in element ? element.form : undefined;
		if (!(form instanceof HTMLFormElement)) return false;
		const button = [...form.elements].find(
			(each) =>
				(each instanceof HTMLButtonElement && each.type === 'submit') ||
				(each instanceof HTMLInputElement && each.type === 'submit'),
		);
		form.requestSubmit(button instanceof HTMLElement ? button : undefined);
		return true;
	});
	if (!hasForm) throw new PageError('The field is in no form that could be sent.');
}

/** Scripts may have taken the field away: then there is nothing to undo. */
export async function undo(typed: Typed, timeout: number): Promise<void> {
	await typed.undo(timeout).catch(() => undefined);
}
