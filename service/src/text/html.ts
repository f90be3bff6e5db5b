import { randomUUID } from 'node:crypto';

/** What may stand in a template of `html`. Nothing is shown for `false`, `undefined` and `null`. */
export type HtmlValue = Html | string | number | bigint | false | undefined | null | HtmlValue[];

/** Markup. Only what `html` makes is any: a text, wherever it comes from, stays text. */
export class Html {
	readonly #markup: string;

	constructor(strings: readonly string[], values: HtmlValue[]) {
		this.#markup = strings.map((text, index) => text + markupOf(values[index])).join('');
	}

	toString(): string {
		return this.#markup;
	}
}

/** Makes markup of a template; texts among its values are escaped, also between quotes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
	return new Html(strings, values);
}

/** Some markup, cut at a place in it: what is to stand there comes part by part. Without the place, it is whole. */
export function cutAtPlace(
	markupAround: (place: string) => Html,
): [before: Html, behind: Html | undefined] {
	const place = randomUUID();
	const [before = '', behind] = markupAround(place).toString().split(place);
	return [new Html([before], []), behind === undefined ? undefined : new Html([behind], [])];
}

function markupOf(value: HtmlValue): string {
	if (value === false || value === undefined || value === null) return '';
	if (Array.isArray(value)) return value.map(markupOf).join('');
	return value instanceof Html ? value.toString() : escaped(String(value));
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
