import { isTag, type Element } from 'domhandler';
import { textContent } from 'domutils';
import { foldSpaces } from '../fieldValue.ts';
import { PageError } from '../page.ts';
import { tickedBy } from '../ticked.ts';
import type { DocumentRequest } from './connection.ts';
import { inputType, inputValue } from './inputValue.ts';
import { openFormAt } from './parseHtml.ts';
import { all, first } from './select.ts';

/** What was typed into fields of a page; the page itself stays as it came. */
export type TypedTexts = Map<Element, string>;

const untypable = new Set(['submit', 'button', 'image', 'reset', 'file']);
const buttonTypes = new Set(['submit', 'button', 'image', 'reset']);

/** Throws a PageError unless a text can be typed into this element, or chosen from it. */
export function checkTypable(field: Element, text: string, selector: string): void {
	if (field.name === 'textarea') return;
	if (isBox(field)) {
		if (boxState(field, text) !== undefined) return;
		throw new PageError(`${selector} is a box: its text must be true or false, not "${text}".`);
	}
	if (field.name === 'input' && !untypable.has(typeOf(field))) return;
	if (field.name !== 'select') {
		throw new PageError(`${selector} is not a field that takes text.`);
	}
	if (!optionOf(field, text)) throw new PageError(`${selector} has no option "${text}".`);
}

/** The button that a click on this element presses, if it sends a form. */
export function submitButton(element: Element): Element | undefined {
	const button = closest(element, ({ name }) => name === 'button' || name === 'input');
	return button && ['submit', 'image'].includes(typeOf(button)) ? button : undefined;
}

/** The form that an element belongs to: the one that it names, that was open where it began, or that it is in. */
export function formOf(control: Element): Element | undefined {
	const { form } = control.attribs;
	if (form === undefined) {
		return openFormAt(control) ?? closest(control, ({ name }) => name === 'form');
	}
	const page = rootOf(control);
	return all('form', page).find(({ attribs }) => attribs.id === form);
}

/** The button by which Enter in a field sends its form, if it has one; throws a PageError where Enter does nothing. */
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

/** Of these a form without a button may have one, if Enter is to send it (HTML, "implicit submission"). */
function takesLine(control: Element): boolean {
	const others = ['checkbox', 'radio', 'range', 'color', 'file', 'hidden', ...buttonTypes];
	return control.name === 'input' && !others.includes(typeOf(control));
}

function controlsOf(form: Element): Element[] {
	return all('button, input, select, textarea', rootOf(form)).filter(
		(control) => formOf(control) === form,
	);
}

/** The request that a browser sends for a form, its values and the button that was pressed. */
export function formRequest(
	form: Element,
	button: Element | undefined,
	{ typed, base, address }: { typed: TypedTexts; base: string; address: string },
): DocumentRequest {
	const method = (button?.attribs.formmethod ?? form.attribs.method ?? 'get').toLowerCase();
	if (method === 'dialog') throw new PageError('The form closes a dialog, and asks for no page.');
	// Without an action a form is sent to its page, whatever relative addresses count from.
	const action = (button?.attribs.formaction ?? form.attribs.action) || address;
	if (!URL.canParse(action, base)) throw new PageError(`"${action}" is not a URL.`);
	const url = new URL(action, base);
	const values = new URLSearchParams();
	const controls = controlsOf(form);
	// Of several that are marked only the last one is on, or the one that was chosen last.
	const chosen = [...typed.keys()].filter((field) => isRadio(field) && controls.includes(field));
	const marked = controls.filter((each) => isRadio(each) && each.attribs.checked !== undefined);
	const radios = new Map([...marked, ...chosen].map((radio) => [radio.attribs.name, radio]));
	for (const control of controls) {
		if (isDisabled(control)) continue;
		if (isRadio(control) && radios.get(control.attribs.name) !== control) continue;
		for (const [name, value] of valuesOf(control, typed, button)) {
			values.append(name, value.replace(/\r\n?|\n/g, '\r\n'));
		}
	}
	if (method === 'post') return { url: url.href, form: values.toString() };
	url.search = values.toString();
	return { url: url.href };
}

function valuesOf(
	control: Element,
	typed: TypedTexts,
	button: Element | undefined,
): [name: string, value: string][] {
	const { name, value } = control.attribs;
	const type = typeOf(control);
	if (buttonTypes.has(type) && control !== button) return [];
	if (type === 'image') {
		const prefix = name ? `${name}.` : '';
		return ['x', 'y'].map((axis) => [`${prefix}${axis}`, '0']);
	}
	if (!name) return [];
	if (control.name === 'select') {
		return chosenIn(control, typed.get(control))
			.filter((option) => !isDisabled(option))
			.map((option) => [name, valueOf(option)]);
	}
	if (isRadio(control)) return [[name, value ?? 'on']];
	if (isBox(control)) {
		const text = typed.get(control);
		const isTicked =
			text === undefined ? control.attribs.checked !== undefined : boxState(control, text);
		return isTicked ? [[name, value ?? 'on']] : [];
	}
	// No file is chosen.
	if (type === 'file') return [[name, '']];
	if (type === 'hidden' && name.toLowerCase() === '_charset_') return [[name, 'UTF-8']];
	const unsaid = type === 'submit' && control.name === 'input' ? 'Submit' : '';
	const own = control.name === 'textarea' ? textContent(control) : (value ?? unsaid);
	const said = typed.get(control) ?? own;
	const sent = control.name === 'input' ? inputValue(type, said, control.attribs) : said;
	const { dirname } = control.attribs;
	const hasDirection =
		dirname && (type === 'hidden' || control.name === 'textarea' || takesText(type));
	return [
		[name, sent],
		...(hasDirection ? [[dirname, directionOf(control)] as [string, string]] : []),
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

function isRadio(control: Element): boolean {
	return typeOf(control) === 'radio';
}

function isBox(control: Element): boolean {
	return control.name === 'input' && ['checkbox', 'radio'].includes(typeOf(control));
}

function boxState(control: Element, text: string): boolean | undefined {
	const isTicked = tickedBy(text, control.attribs.value);
	return isRadio(control) && isTicked === false ? undefined : isTicked;
}

function chosenIn(select: Element, typed: string | undefined): Element[] {
	const option = typed === undefined ? undefined : optionOf(select, typed);
	if (option) return [option];
	const options = all('option', select);
	const selected = options.filter(({ attribs }) => attribs.selected !== undefined);
	if (select.attribs.multiple !== undefined) return selected;
	// Of several that are marked the last one counts; a list that is open may have none.
	const isOpen = parseInt(select.attribs.size ?? '', 10) > 1;
	if (selected.length > 0 || isOpen) return selected.slice(-1);
	return options.filter((each) => !isDisabled(each)).slice(0, 1);
}

function optionOf(select: Element, text: string): Element | undefined {
	const options = all('option', select);
	return (
		options.find((option) => valueOf(option) === text) ??
		options.find((option) => foldSpaces(textContent(option)) === text)
	);
}

function valueOf(option: Element): string {
	return option.attribs.value ?? foldSpaces(textContent(option));
}

/** By itself, or by a `fieldset` around it, unless it stands in the legend of that. */
function isDisabled(control: Element): boolean {
	if (control.attribs.disabled !== undefined) return true;
	const isIn = control.name === 'option' ? 'optgroup' : 'fieldset';
	const around = closest(
		control,
		(each) =>
			each !== control &&
			each.name === isIn &&
			each.attribs.disabled !== undefined &&
			!isInLegend(control, each),
	);
	return around !== undefined || closest(control, ({ name }) => name === 'datalist') !== undefined;
}

function isInLegend(control: Element, fieldset: Element): boolean {
	const legend = first('> legend', fieldset);
	return legend !== undefined && closest(control, (each) => each === legend) !== undefined;
}

function typeOf({ name, attribs }: Element): string {
	if (name === 'input') return inputType(attribs.type);
	const type = attribs.type?.toLowerCase();
	if (name === 'button') return type === 'button' || type === 'reset' ? type : 'submit';
	return name;
}

/** The element itself, or the nearest around it, that is such a one. */
export function closest(
	element: Element,
	isWanted: (element: Element) => boolean,
): Element | undefined {
	for (let at: Element | undefined = element; at; at = parentOf(at)) if (isWanted(at)) return at;
	return undefined;
}

function rootOf(element: Element) {
	let root = element.parent ?? element;
	while (root.parent) root = root.parent;
	return root;
}

function parentOf({ parent }: Element): Element | undefined {
	return parent && isTag(parent) ? parent : undefined;
}
