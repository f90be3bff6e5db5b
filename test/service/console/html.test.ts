// Under another name, or the formatter would take what these make for markup to be put right.
import { html as made } from '../../../service/src/text/html.ts';

test.each([
	['between tags', (text: string) => made`<p>${text}</p>`, '<p>', '</p>'],
	['between double quotes', (text: string) => made`<a title="${text}">`, '<a title="', '">'],
	['between single quotes', (text: string) => made`<a title='${text}'>`, "<a title='", "'>"],
	['in a list', (text: string) => made`<p>${[[text], text]}</p>`, '<p>', '</p>'],
])('a text stays text %s', (where, template, before, after) => {
	const markup = template(`<b>&lt;"'`).toString();
	const escaped = '&lt;b&gt;&amp;lt;&quot;&#39;';
	const times = where === 'in a list' ? 2 : 1;
	expect(markup).toBe(before + escaped.repeat(times) + after);
});

test('what a template has made is markup in another one, and what is not there is nothing', () => {
	const markup = made`${[made`<b>${1n}</b>`]}${false}${undefined}${null}${0}`.toString();
	expect(markup).toBe('<b>1</b>0');
});
