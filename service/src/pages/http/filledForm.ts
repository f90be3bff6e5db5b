import type { Element } from 'domhandler';
import { textContent } from 'domutils';
import { tickedBy } from '../ticked.ts';
import { chosenIn, controlsOf, isBox, isRadio, typeOf } from './controls.ts';
import { inputValue } from './inputValue.ts';

/** What was typed into fields of a page; the page itself stays as it came. */
export type TypedTexts = Map<Element, string>;

/** What the controls of a form hold: as the page has them, or what was typed. */
export class FilledForm {
	readonly controls: Element[];
	readonly #typed: TypedTexts;
	/** Of each group the one that is on. */
	readonly #radios: Map<string | undefined, Element>;

	constructor(form: Element, typed: TypedTexts) {
		this.controls = controlsOf(form);
		this.#typed = typed;
		// Of several that are marked only the last one is on, or the one that was chosen last.
		const chosen = [...typed.keys()].filter(
			(each) => isRadio(each) && this.controls.includes(each),
		);
		const marked = this.controls.filter(
			(each) => isRadio(each) && each.attribs.checked !== undefined,
		);
		this.#radios = new Map([...marked, ...chosen].map((radio) => [radio.attribs.name, radio]));
	}

	wasTyped(control: Element): boolean {
		return this.#typed.has(control);
	}

	/** Whether a box is ticked, or a radio button is the one of its group. */
	isOn(box: Element): boolean {
		if (isRadio(box)) return this.#radios.get(box.attribs.name) === box;
		const text = this.#typed.get(box);
		return text === undefined ? box.attribs.checked !== undefined : boxState(box, text) === true;
	}

	/** Whether one of the group of a radio button is on. */
	hasChosen(radio: Element): boolean {
		return this.#radios.has(radio.attribs.name);
	}

	options(select: Element): Element[] {
		return chosenIn(select, this.#typed.get(select));
	}

	/** The text of a field, as a browser makes it of what was typed. */
	text(control: Element): string {
		const { name, attribs } = control;
		const type = typeOf(control);
		const unsaid = type === 'submit' && name === 'input' ? 'Submit' : '';
		const own = name === 'textarea' ? textContent(control) : (attribs.value ?? unsaid);
		const said = this.#typed.get(control) ?? own;
		return name === 'input' ? inputValue(type, said, attribs) : said;
	}
}

/** What a text makes of a box; undefined if it makes no sense for that. */
export function boxState(box: Element, text: string): boolean | undefined {
	if (!isBox(box)) return undefined;
	const isTicked = tickedBy(text, box.attribs.value);
	return isRadio(box) && isTicked === false ? undefined : isTicked;
}
