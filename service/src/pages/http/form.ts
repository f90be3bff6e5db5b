import { labelToName } from '@exodus/bytes/encoding.js';
import type { Element } from 'domhandler';
import { absoluteAddress, outputOf, type AddressBase } from '../absoluteAddress.ts';
import { PageError } from '../page.ts';
import type { DocumentRequest } from './connection.ts';
import {
	closest,
	controlsOf,
	isBox,
	isButton,
	isDisabled,
	isInactive,
	isLeftOut,
	optionOf,
	submitButton,
	typeOf,
	valueOf,
} from './controls.ts';
import { boxState, FilledForm, type TypedTexts } from './filledForm.ts';
import { formBody, urlencoded, type FormValue } from './formBody.ts';
import { inputValue, lengthIn } from './inputValue.ts';
import { notABoxState, untypable, wantedInstead } from '../typedText.ts';
import { mistakeIn } from './validity.ts';

/** Throws a PageError unless this element takes a text: one that can be typed into it, or chosen from it. */
export function checkTypable(field: Element, text: string, selector: string): void {
	const refusal = refusalOf(field, text);
	if (refusal !== undefined) throw new PageError(`${selector} ${refusal}.`);
}

function refusalOf(field: Element, text: string): string | undefined {
	const { name, attribs } = field;
	const type = typeOf(field);
	const isTyped = name === 'textarea' || (name === 'input' && !untypable.has(type));
	if (!isTyped && name !== 'select') return 'is not a field that takes text';
	if (isInactive(field)) return 'is disabled';
	if (type === 'hidden') return 'is hidden: nobody can type into it';
	if (isBox(field)) return boxState(field, text) === undefined ? notABoxState(text) : undefined;
	if (name === 'select') {
		const option = optionOf(field, text);
		if (!option) return `has no option "${text}"`;
		return isLeftOut(option) ? `has an option "${text}", but that is disabled` : undefined;
	}
	if (attribs.readonly !== undefined) return 'is read-only';
	const made = name === 'input' ? inputValue(type, text, attribs) : text.replace(/\r\n?/g, '\n');
	const maxLength = lengthIn(attribs.maxlength);
	return wantedInstead(text, { type, made, maxLength });
}

/**
 * The button by which Enter in a field sends its form, if it has one; throws a PageError where Enter
 * does nothing.
 */
export function defaultButton(form: Element, field: Element): Element | undefined {
	const controls = controlsOf(form);
	const button = controls.find((control) => submitButton(control) === control);
	if (button && isDisabled(button)) {
		throw new PageError('The button of the form is disabled, so that Enter does not send it.');
	}
	const isOneOfMany = controls.filter(takesLine).length > 1 && field.name === 'input';
	if (!button && isOneOfMany) {
		throw new PageError(
			'The form has no button and more than one field, so that Enter does not send it.',
		);
	}
	return button;
}

/**
 * Of these a form without a button may have one, if Enter is to send it (HTML, "implicit submission"); those of dates
 * are none to Chromium.
 */
function takesLine(control: Element): boolean {
	const lines = ['text', 'search', 'tel', 'url', 'email', 'password', 'number'];
	return control.name === 'input' && lines.includes(typeOf(control));
}

/** The request that a browser sends for a form, its values and the button that was pressed. */
export function formRequest(
	form: Element,
	button: Element | undefined,
	{ typed, base, address }: { typed: TypedTexts; base: AddressBase; address: string },
): DocumentRequest {
	const method = (button?.attribs.formmethod ?? form.attribs.method ?? 'get').toLowerCase();
	if (method === 'dialog') throw new PageError('The form closes a dialog, and asks for no page.');
	// Without an action a form is sent to its page, whatever relative addresses count from.
	const action = (button?.attribs.formaction ?? form.attribs.action) || address;
	const whole = absoluteAddress(action, base);
	if (whole === undefined) throw new PageError(`"${action}" is not a URL.`);
	const url = new URL(whole);
	const filled = new FilledForm(form, typed);
	const unchecked = form.attribs.novalidate ?? button?.attribs.formnovalidate;
	const mistake = unchecked === undefined ? mistakeIn(filled) : undefined;
	if (mistake !== undefined) throw new PageError(`The form is not sent: ${mistake}.`);
	const encoding = encodingOf(form, base);
	const values = filled.controls
		.filter((control) => !isDisabled(control) && !isSuggested(control))
		.flatMap((control) => valuesOf(control, filled, { button, encoding }));
	if (method === 'post') {
		const enctype = button?.attribs.formenctype ?? form.attribs.enctype;
		return { url: url.href, form: formBody(values, { enctype, encoding }) };
	}
	// Also an empty one is there.
	url.search = `?${urlencoded(values, encoding)}`;
	return { url: url.href };
}

/** The encoding in which a form is sent: one that it names, else that of its page. */
function encodingOf({ attribs }: Element, { encoding }: AddressBase): string {
	const [named = encoding] = (attribs['accept-charset'] ?? '')
		.split(/[\s,]+/)
		.filter((label) => labelToName(label) !== null);
	return outputOf(labelToName(named) ?? 'UTF-8');
}

function valuesOf(
	control: Element,
	filled: FilledForm,
	{ button, encoding }: { button: Element | undefined; encoding: string },
): FormValue[] {
	const { name, value } = control.attribs;
	const type = typeOf(control);
	if (isButton(control) && control !== button) return [];
	if (type === 'image') {
		const prefix = name ? `${name}.` : '';
		return ['x', 'y'].map((axis) => [`${prefix}${axis}`, '0']);
	}
	if (!name) return [];
	if (control.name === 'select') {
		const options = filled.options(control).filter((option) => !isLeftOut(option));
		return options.map((option) => [name, valueOf(option)]);
	}
	if (isBox(control)) return filled.isOn(control) ? [[name, value ?? 'on']] : [];
	// No file is chosen.
	if (type === 'file') return [[name, '', true]];
	if (type === 'hidden' && name.toLowerCase() === '_charset_') return [[name, encoding]];
	const { dirname } = control.attribs;
	const hasDirection =
		dirname && (type === 'hidden' || control.name === 'textarea' || takesText(type));
	return [
		[name, filled.text(control)],
		...(hasDirection ? [[dirname, directionOf(control)] as FormValue] : []),
	];
}

function takesText(type: string): boolean {
	return ['text', 'search', 'tel', 'url', 'email', 'password', 'submit'].includes(type);
}

/** The direction of a text, which some forms send along with it. */
function directionOf(control: Element): string {
	const said = closest(control, ({ attribs }) => /^(ltr|rtl)$/i.test(attribs.dir ?? ''));
	return said?.attribs.dir?.toLowerCase() ?? 'ltr';
}

/** What a list of suggestions has in it for browsers without such lists is not sent. */
function isSuggested(control: Element): boolean {
	return closest(control, ({ name }) => name === 'datalist') !== undefined;
}
