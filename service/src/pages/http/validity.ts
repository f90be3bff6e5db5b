import type { Element } from 'domhandler';
import { closest, isButton, isDisabled, isRadio, typeOf, valueOf } from './controls.ts';
import type { FilledForm } from './filledForm.ts';
import { saidText, textTypes } from '../typedText.ts';
import { inputValue, lengthIn, numberOf } from './inputValue.ts';

/** Types that can hold nothing, or always hold something: nothing is required of them. */
const neverEmpty = new Set(['hidden', 'range', 'color']);
/** Of the types with a smallest and a largest value: what a step of one counts, and how many it has unless said. */
const steps: Record<string, { unit: number; usual: number; from?: number }> = {
	number: { unit: 1, usual: 1 },
	date: { unit: 86_400_000, usual: 1 },
	month: { unit: 1, usual: 1 },
	// Weeks begin on Mondays; time began on a Thursday.
	week: { unit: 604_800_000, usual: 1, from: -259_200_000 },
	time: { unit: 1_000, usual: 60 },
	'datetime-local': { unit: 1_000, usual: 60 },
};
/** What HTML takes for an e-mail address. */
const email =
	/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Why a browser does not send a form (HTML, "constraint validation"); undefined if it does. */
export function mistakeIn(form: FilledForm): string | undefined {
	for (const control of form.controls) {
		const mistake = isChecked(control) ? mistakeOf(control, form) : undefined;
		if (mistake !== undefined) return `${nameOf(control)} ${mistake}`;
	}
	return undefined;
}

/** What cannot be changed is sent as it is. */
function isChecked(control: Element): boolean {
	if (isButton(control) || isDisabled(control) || control.attribs.readonly !== undefined) {
		return false;
	}
	return closest(control, ({ name }) => name === 'datalist') === undefined;
}

function mistakeOf(control: Element, form: FilledForm): string | undefined {
	const type = typeOf(control);
	const text = form.text(control);
	if (isMissing(control, form)) return 'is required, and has no value';
	if (text === '') return undefined;
	const takesText = textTypes.has(type) || type === 'textarea';
	const { minlength, pattern } = control.attribs;
	// What the page says itself may be shorter.
	if (takesText && form.wasTyped(control) && text.length < (lengthIn(minlength) ?? 0)) {
		return `has fewer than ${minlength} characters`;
	}
	if (!textTypes.has(type)) return mistakeOfNumber(control, text);
	const isSeveral = type === 'email' && control.attribs.multiple !== undefined;
	const texts = isSeveral ? text.split(',') : [text];
	if (type === 'email' && !texts.every((each) => email.test(each))) {
		return `"${text}" is no e-mail address`;
	}
	if (type === 'url' && !URL.canParse(text)) return `"${text}" is not a URL`;
	const wanted = patternIn(pattern);
	if (wanted && !texts.every((each) => wanted.test(each))) {
		return `${saidText(text, type)} is not of the pattern ${pattern}`;
	}
	return undefined;
}

function isMissing(control: Element, form: FilledForm): boolean {
	const type = typeOf(control);
	if (isRadio(control)) {
		const { name } = control.attribs;
		const group = form.controls.filter((each) => isRadio(each) && each.attribs.name === name);
		return group.some(isRequired) && !form.hasChosen(control);
	}
	if (!isRequired(control) || neverEmpty.has(type)) return false;
	if (type === 'checkbox') return !form.isOn(control);
	// Nobody chooses one.
	if (type === 'file') return true;
	if (type !== 'select') return form.text(control) === '';
	return form.options(control).every((option) => isPlaceholder(option, control));
}

function isRequired({ attribs }: Element): boolean {
	return attribs.required !== undefined;
}

/** The first option of a list that shows one, if it says nothing ("Please choose"). */
function isPlaceholder(option: Element, { attribs, children }: Element): boolean {
	if (attribs.multiple !== undefined || parseInt(attribs.size ?? '', 10) > 1) return false;
	const first = children.find((child) => 'name' in child && child.name === 'option');
	return option === first && valueOf(option) === '';
}

function mistakeOfNumber(control: Element, text: string): string | undefined {
	const { attribs } = control;
	const type = typeOf(control);
	const step = steps[type];
	const value = numberOf(type, text);
	if (!step || value === undefined) return undefined;
	const bound = (said: string | undefined) => numberOf(type, inputValue(type, said ?? '', {}));
	const [min, max] = [bound(attribs.min), bound(attribs.max)];
	const isUnder = min !== undefined && value < min;
	const isOver = max !== undefined && value > max;
	// From evening to morning.
	const isThroughMidnight = type === 'time' && min !== undefined && max !== undefined && max < min;
	if (isThroughMidnight ? isUnder && isOver : isUnder || isOver) {
		const bounds = [
			min !== undefined && `at least ${attribs.min}`,
			max !== undefined && `at most ${attribs.max}`,
		];
		return `"${text}" must be ${bounds.filter(Boolean).join(' and ')}`;
	}
	if (attribs.step?.toLowerCase() === 'any') return undefined;
	const said = Number(attribs.step);
	const width = (said > 0 ? said : step.usual) * step.unit;
	const from = min ?? bound(attribs.value) ?? step.from ?? 0;
	// What tenths add up to is not quite a whole number of them.
	const isOnStep = Number.isInteger(Number(((value - from) / width).toPrecision(15)));
	return isOnStep ? undefined : `"${text}" is not on a step of ${attribs.step ?? step.usual}`;
}

/** An expression that makes no sense asks for nothing. */
function patternIn(pattern: string | undefined): RegExp | undefined {
	if (pattern === undefined) return undefined;
	try {
		// By itself it may be none: `a)(b`.
		void new RegExp(pattern, 'v');
		return new RegExp(`^(?:${pattern})$`, 'v');
	} catch {
		return undefined;
	}
}

function nameOf({ name, attribs }: Element): string {
	return attribs.name || attribs.id || name;
}
