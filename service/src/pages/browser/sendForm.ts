/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import { PageError } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import type { HandedElement } from './handedElement.ts';
import type { Limits } from './readiness.ts';

/**
 * Sends the form of a field: by Enter, or, where Enter means something else, as its button does. What is returned tells,
 * once the page has come to rest, why Enter has sent nothing (HTML Standard, "implicit submission"); of what scripts have
 * asked for instead, it knows nothing.
 */
export async function submitFrom(
	field: HandedElement,
	{ ready, page }: Limits,
): Promise<() => Promise<string | undefined>> {
	const { takesEnter, lack } = howShape.parse(await field.ask(howToSend, {}));
	const begun = performance.now();
	await unlessRefused(field, async () => {
		if (takesEnter) return field.locator.press('Enter', { timeout: ready + page });
		if (z.boolean().parse(await field.ask(sendForm, {}))) return;
		throw new PageError('The field is in no form that could be sent.');
	});
	return async () => {
		if (lack === undefined) return undefined;
		// JSON has no Infinity. Where another page has come, nothing is to be said.
		const unchanged = field.ask(({ unchangedFor }) => Math.min(unchangedFor(), 1e6), {});
		const time = Number(await unchanged.catch(() => 0));
		// Asked before, a slow answer would count what was changed since as before.
		return time > performance.now() - begun ? lack : undefined;
	};
}

const howShape = z.object({ takesEnter: z.boolean(), lack: z.string().optional() });

/**
 * Does what may send the form that an element is in. Throws a PageError where the browser does not send it,
 * because of what one of its fields holds: the page stays as it was.
 */
export async function unlessRefused(
	element: HandedElement,
	act: () => Promise<unknown>,
): Promise<void> {
	await element.ask(({ awaitRefusal }) => awaitRefusal(), {});
	await act();
	// Where another page has come, it was sent.
	const mistake = await element.ask(findMistake, {}).catch(() => null);
	const said = z.string().nullable().parse(mistake);
	if (said !== null) throw new PageError(`The form is not sent: ${said}`);
}

// What follows runs in the page, so it can use nothing that is outside of it.

/** What the browser says of the field for which it does not send the form of an element. */
function findMistake(
	{ own, taken, refused }: DocumentState,
	{ handed }: { handed: number },
): unknown {
	type Control = HTMLInputElement | HTMLButtonElement | HTMLSelectElement | HTMLTextAreaElement;
	const isControl = (element: Element | null): element is Control =>
		element instanceof HTMLInputElement ||
		element instanceof HTMLButtonElement ||
		element instanceof HTMLSelectElement ||
		element instanceof HTMLTextAreaElement;
	const field = refused() ?? null;
	const pressed = taken(handed);
	const control = own(pressed).closest('button, input, select, textarea');
	const form = isControl(control) ? control.form : own(pressed).closest('form');
	if (!isControl(field) || !field.validationMessage || !form || field.form !== form) return null;
	const isButton = control instanceof HTMLInputElement || control instanceof HTMLButtonElement;
	if (own(form).noValidate || (isButton && control.formNoValidate)) return null;
	const name = field.name || field.id || field.localName;
	const value = field.type === 'password' ? '' : ` "${field.value.slice(0, 200)}"`;
	return `${name}${value}: ${field.validationMessage}`;
}

function howToSend({ own, taken }: DocumentState, { handed }: { handed: number }): unknown {
	const element = taken(handed);
	// There it opens what colours are chosen from.
	const takesEnter = element instanceof HTMLInputElement && element.type !== 'color';
	if (!takesEnter || !element.form) return { takesEnter };
	const lines = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number)$/;
	let count = 0;
	for (const each of own(document).querySelectorAll('button, input')) {
		const isControl = each instanceof HTMLButtonElement || each instanceof HTMLInputElement;
		if (!isControl || each.form !== element.form) continue;
		if (/^(submit|image)$/.test(each.type)) {
			const isOff = each.matches(':disabled');
			return { takesEnter, ...(isOff && { lack: 'the button of its form is disabled' }) };
		}
		if (lines.test(each.type)) count += 1;
	}
	const lack = 'its form has no button and more than one field';
	return { takesEnter, ...(count > 1 && { lack }) };
}

/** Sends the form of a field by its first button that does so; false if it has no form. Of a list without one, scripts have heard all by what was chosen. */
function sendForm({ own, taken }: DocumentState, { handed }: { handed: number }): unknown {
	const element = taken(handed);
	const form = 'form' in element ? element.form : undefined;
	if (!(form instanceof HTMLFormElement)) return element instanceof HTMLSelectElement;
	const button = [...own(form).elements].find(
		(each) =>
			(each instanceof HTMLButtonElement || each instanceof HTMLInputElement) &&
			each.type === 'submit',
	);
	own(form).requestSubmit(button instanceof HTMLElement ? button : undefined);
	return true;
}
