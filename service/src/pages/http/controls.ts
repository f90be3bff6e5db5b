import { isTag, type Element, type ParentNode } from 'domhandler';
import { findAll, textContent } from 'domutils';
import { foldSpaces } from '../fieldValue.ts';
import { parentOf } from './innerText.ts';
import { inputType } from './inputValue.ts';
import { openFormAt } from './parseHtml.ts';

const buttonTypes = new Set(['submit', 'button', 'image', 'reset']);
const controlNames = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup']);

/** The type of an `input` or `button`; of others, their name. */
export function typeOf({ name, attribs }: Element): string {
	if (name === 'input') return inputType(attribs.type);
	const type = attribs.type?.toLowerCase();
	if (name === 'button') return type === 'button' || type === 'reset' ? type : 'submit';
	return name;
}

export function isButton(control: Element): boolean {
	return buttonTypes.has(typeOf(control));
}

export function isRadio(control: Element): boolean {
	return typeOf(control) === 'radio';
}

/** A checkbox or a radio button. */
export function isBox(control: Element): boolean {
	return control.name === 'input' && ['checkbox', 'radio'].includes(typeOf(control));
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
	return inside(rootOf(control), 'form').find(({ attribs }) => attribs.id === form);
}

/** What a form sends, and what it is sent by. */
export function controlsOf(form: Element): Element[] {
	return inside(rootOf(form), 'button', 'input', 'select', 'textarea').filter(
		(control) => formOf(control) === form,
	);
}

/**
 * Whether nobody can use it (HTML, "disabled"): by itself, by a `fieldset` around it unless it stands in
 * the legend of that, or by the list that an option is in.
 */
export function isDisabled(control: Element): boolean {
	if (control.attribs.disabled !== undefined) return true;
	if (control.name === 'option' || control.name === 'optgroup') {
		const list = closest(control, ({ name }) => name === 'select');
		return isLeftOut(control) || (list !== undefined && isDisabled(list));
	}
	return (
		closest(
			control,
			(each) =>
				each !== control &&
				each.name === 'fieldset' &&
				each.attribs.disabled !== undefined &&
				!isInLegend(control, each),
		) !== undefined
	);
}

/**
 * Whether a click on an element does nothing: the control that it is, or is in, is disabled, or is said
 * to be so.
 */
export function isInactive(element: Element): boolean {
	const control = closest(element, ({ name }) => controlNames.has(name));
	if (control && isDisabled(control)) return true;
	const said = closest(element, ({ attribs }) => /^(true|false)$/i.test(ariaDisabled(attribs)));
	return said !== undefined && ariaDisabled(said.attribs).toLowerCase() === 'true';
}

/** The options of a `select` that are on: the one of that text, else as the page has them. */
export function chosenIn(select: Element, typed?: string): Element[] {
	const option = typed === undefined ? undefined : optionOf(select, typed);
	if (option) return [option];
	const options = inside(select, 'option');
	const selected = options.filter(({ attribs }) => attribs.selected !== undefined);
	if (select.attribs.multiple !== undefined) return selected;
	// Of several that are marked the last one counts; a list that is open may have none.
	const isOpen = parseInt(select.attribs.size ?? '', 10) > 1;
	if (selected.length > 0 || isOpen) return selected.slice(-1);
	return options.filter((each) => !isLeftOut(each)).slice(0, 1);
}

/** The option that says this, else the one that sends it. */
export function optionOf(select: Element, text: string): Element | undefined {
	const options = inside(select, 'option');
	return (
		options.find((option) => labelOf(option) === foldSpaces(text)) ??
		options.find((option) => valueOf(option) === text)
	);
}

function labelOf(option: Element): string {
	return foldSpaces(option.attribs.label || textContent(option));
}

/** What an option sends. */
export function valueOf(option: Element): string {
	return option.attribs.value ?? foldSpaces(textContent(option));
}

/** What a control of HTML holds that says so in no attribute. */
export function heldIn(control: Element): string | undefined {
	switch (control.name) {
		case 'textarea':
			return textContent(control);
		case 'option':
			return valueOf(control);
		case 'select':
			return chosenIn(control).map(valueOf)[0] ?? '';
		default:
			return undefined;
	}
}

/** Whether an option is not sent, whatever its list is: by itself, or by the group that it is in. */
export function isLeftOut(option: Element): boolean {
	const off = ({ name, attribs }: Element) =>
		(name === 'optgroup' || name === 'option') && attribs.disabled !== undefined;
	return closest(option, off) !== undefined;
}

/** Whether a box or an option is on, as the page has it. */
export function isOn(control: Element): boolean {
	const { name, attribs } = control;
	if (name === 'option') {
		const list = closest(control, (each) => each.name === 'select');
		return list ? chosenIn(list).includes(control) : attribs.selected !== undefined;
	}
	if (!isBox(control) || attribs.checked === undefined) return false;
	return !isRadio(control) || groupOf(control).at(-1) === control;
}

/** The radio buttons of one group that are marked as on; the last one is. */
function groupOf(radio: Element): Element[] {
	const { name } = radio.attribs;
	if (!name) return [radio];
	const form = formOf(radio);
	return inside(rootOf(radio), 'input').filter(
		(each) =>
			each.attribs.name === name &&
			each.attribs.checked !== undefined &&
			isRadio(each) &&
			formOf(each) === form,
	);
}

function ariaDisabled(attribs: Element['attribs']): string {
	return attribs['aria-disabled'] ?? '';
}

function isInLegend(control: Element, fieldset: Element): boolean {
	const legend = fieldset.children.find((child) => isTag(child) && child.name === 'legend');
	return legend !== undefined && closest(control, (each) => each === legend) !== undefined;
}

/** The element itself, or the nearest around it, that is such a one. */
export function closest(
	element: Element,
	isWanted: (element: Element) => boolean,
): Element | undefined {
	for (let at: Element | undefined = element; at; at = parentOf(at)) if (isWanted(at)) return at;
	return undefined;
}

/** All elements of these names inside of another one, or of the page. */
function inside(root: ParentNode, ...names: string[]): Element[] {
	return findAll(({ name }) => names.includes(name), root.children);
}

function rootOf(element: Element): ParentNode {
	let root: ParentNode = element.parent ?? element;
	while (root.parent) root = root.parent;
	return root;
}
