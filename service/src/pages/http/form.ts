import type { Cheerio, CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';
import type { DocumentRequest } from './fetchDocument.ts';
import { PageError } from '../page.ts';

const untypable = new Set(['submit', 'button', 'image', 'reset', 'file', 'checkbox', 'radio']);

/** Puts a text into an input or textarea, or selects the option of that value or text. */
export function fillIn(field: Cheerio<AnyNode>, text: string, selector: string): void {
	if (field.is('textarea')) {
		field.text(text);
	} else if (field.is('select')) {
		const options = field.find('option');
		const option = options.filter(
			(index) => options.eq(index).val() === text || options.eq(index).text().trim() === text,
		);
		if (option.length === 0) throw new PageError(`${selector} has no option "${text}".`);
		options.removeAttr('selected');
		option.first().attr('selected', '');
	} else if (field.is('input') && !untypable.has((field.attr('type') ?? 'text').toLowerCase())) {
		field.attr('value', text);
	} else {
		throw new PageError(`${selector} is not a field that takes text.`);
	}
}

/** The form that a click on this element submits, if it submits one. */
export function submittedForm(
	$: CheerioAPI,
	element: Cheerio<AnyNode>,
): Cheerio<AnyNode> | undefined {
	const button = element.closest('button, input');
	if (button.length === 0 || !submits(button)) return undefined;
	const owner = button.attr('form');
	const form = owner === undefined ? button.closest('form') : $('form').filter(`[id="${owner}"]`);
	return form.length > 0 ? form.first() : undefined;
}

/** The request that a browser sends for a form, its values and the button that was clicked. */
export function formRequest(
	form: Cheerio<AnyNode>,
	clicked: Cheerio<AnyNode>,
	base: string,
): DocumentRequest {
	const button = clicked.closest('button, input');
	const method = (button.attr('formmethod') ?? form.attr('method') ?? 'get').toLowerCase();
	const action = button.attr('formaction') ?? form.attr('action') ?? '';
	if (!URL.canParse(action, base)) throw new PageError(`"${action}" is not a URL.`);
	const url = new URL(action, base);
	const values = new URLSearchParams();
	for (const { name, value } of form.serializeArray()) values.append(name, value);
	const name = button.attr('name');
	if (name) values.append(name, button.attr('value') ?? '');
	if (method === 'post') return { url: url.href, form: values };
	url.search = values.toString();
	return { url: url.href };
}

function submits(button: Cheerio<AnyNode>): boolean {
	const type = (button.attr('type') ?? (button.is('button') ? 'submit' : 'text')).toLowerCase();
	return type === 'submit' || type === 'image';
}
