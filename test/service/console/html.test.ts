import { runScript } from '../../support/service/startService';

/** The markup that a template makes, with `text` for what was scraped. */
async function markupOf(template: string, text = ''): Promise<string> {
	const script = `
		import { html } from './html.ts';
		const text = process.argv[1];
		process.stdout.write(${template}.toString());
	`;
	return await runScript(script, text);
}

test.each([
	['between tags', 'html`<p>${text}</p>`', '<p>', '</p>'],
	['between double quotes', 'html`<a title="${text}">`', '<a title="', '">'],
	['between single quotes', "html`<a title='${text}'>`", "<a title='", "'>"],
	['in a list', 'html`<p>${[[text], text]}</p>`', '<p>', '</p>'],
])('a text stays text %s', async (_where, template, before, after) => {
	const markup = await markupOf(template, `<b>&lt;"'`);
	const escaped = '&lt;b&gt;&amp;lt;&quot;&#39;';
	const times = template.includes('[[') ? 2 : 1;
	expect(markup).toBe(before + escaped.repeat(times) + after);
});

test('what a template has made is markup in another one, and what is not there is nothing', async () => {
	const markup = await markupOf('html`${[html`<b>${1n}</b>`]}${false}${undefined}${null}${0}`');
	expect(markup).toBe('<b>1</b>0');
});
