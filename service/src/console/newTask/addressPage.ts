import { html } from '../../text/html.ts';
import type { Task } from '../../tasks/task.ts';
import { shortened } from '../../text/shortened.ts';
import { page, type WholePage } from '../layout.ts';
import { taskPath } from '../paths.ts';

/** Asks for the address of the page with the data. `site`: the address of the service, which has pages to try pointing at; `changed`: the task that is changed, without which it is a new one. */
export function addressPage({
	site,
	url = '',
	kind = 'http',
	mistake,
	changed,
}: {
	site: string;
	url?: string;
	kind?: string;
	mistake?: string;
	changed?: Task;
}): WholePage {
	const demoPage = `${site}/shop/products`;
	const demoPath = `/console/new?url=${encodeURIComponent(demoPage)}`;
	const demo = html`<a href="${demoPath}"><code>${demoPage}</code></a>`;
	const above = [{ name: 'Tasks', path: '/console/' }];
	if (changed) above.push({ name: shortened(changed.name), path: taskPath(changed.taskID) });
	return page({
		title: changed ? 'Change by pointing' : 'New task',
		section: 'tasks',
		above,
		content: html`<form
			class="card address"
			method="post"
			action="${changed ? `${taskPath(changed.taskID)}/point` : '/console/new'}"
			data-once
		>
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
				${
					changed
						? 'If the page has moved, enter its new address: what was pointed at stays. Nothing changes until you save.'
						: html`Then point at what you want to read. Try it with the demo shop: ${demo}`
				}
			</p>
		</form>`,
	});
}
