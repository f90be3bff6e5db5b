import { html, type Html } from '../../text/html.ts';
import { page } from '../layout.ts';

/** Asks for the address of the page with the data. `site`: the address of the service, which has pages to try pointing at. */
export function addressPage({
	site,
	url = '',
	kind = 'http',
	mistake,
}: {
	site: string;
	url?: string;
	kind?: string;
	mistake?: string;
}): Html {
	const demoPage = `${site}/shop/products`;
	return page({
		title: 'New task',
		section: 'tasks',
		above: [{ name: 'Tasks', path: '/console/' }],
		content: html`<form class="card address" method="post" action="/console/new" data-once>
			${mistake !== undefined && html`<p class="notice bad" role="alert">${mistake}</p>`}
			<label for="url">Address of the page with the data</label>
			<input id="url" name="url" value="${url}" placeholder="https://" required autofocus />
			<fieldset>
				<legend>Open it</legend>
				<label
					><input type="radio" name="page" value="http" ${kind === 'http' && html`checked`} /> as
					plain HTML (fast)</label
				>
				<label
					><input type="radio" name="page" value="browser" ${kind === 'browser' && html`checked`} />
					in a browser (for JavaScript pages)</label
				>
			</fieldset>
			<p class="inline">
				<button class="primary">Open</button> <span role="status" data-says="Opening …"></span>
			</p>
			<p class="muted">
				Then point at what you want to read. Try it with the demo shop:
				<a href="/console/new?url=${encodeURIComponent(demoPage)}"><code>${demoPage}</code></a>
			</p>
		</form>`,
	});
}
