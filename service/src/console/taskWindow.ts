import { html, type Html } from '../text/html.ts';
import type { LoadedTask } from '../tasks/tasks.ts';
import type { ConsoleParts } from './consoleParts.ts';

/** Which tasks are listed, and in which order. */
export interface TaskWindow {
	/** A text in the name or the ID; empty: all. */
	q: string;
	order: Order;
}

const orders = { name: 'By name', run: 'Latest batch first' } as const;
type Order = keyof typeof orders;

/** Characters of a search. */
const maxQuery = 200;

/** Reads the window from the query of an address; whatever is none is all tasks, by name. */
export function taskWindow({ q, order }: Record<string, unknown>): TaskWindow {
	const text = typeof q === 'string' ? q.trim().slice(0, maxQuery) : '';
	return { q: text, order: order === 'run' ? 'run' : 'name' };
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** The tasks of a window, in its order. */
export async function tasksIn(
	{ tasks, batches }: ConsoleParts,
	{ q, order }: TaskWindow,
): Promise<LoadedTask[]> {
	const text = q.toLowerCase();
	const found = tasks.tasks
		.filter(({ task: { name, taskID } }) => `${name}\n${taskID}`.toLowerCase().includes(text))
		.sort((a, b) => inOrder.compare(a.task.name, b.task.name));
	if (order === 'name') return found;
	const timed = await Promise.all(
		found.map(async (each) => {
			const [latest] = await batches.list(each.task.taskID, 0, { offset: 0, size: 1 });
			return { each, time: latest?.createTime ?? 0 };
		}),
	);
	return timed.sort((a, b) => b.time - a.time).map(({ each }) => each);
}

/** Where one says which tasks are to be listed. */
export function taskSearch({ q, order }: TaskWindow): Html {
	return html`<div class="inline list-head">
		<form class="inline" role="search" method="get" action="/console/">
			<label class="unseen" for="search">Search the tasks</label>
			<input
				id="search"
				type="search"
				name="q"
				value="${q}"
				maxlength="${maxQuery}"
				placeholder="Name or task ID"
			/>
			<input type="hidden" name="order" value="${order}" />
			<button>Search</button>
		</form>
		<nav class="choices" aria-label="Order of the tasks">
			${Object.entries(orders).map(
				([each, name]) =>
					html`<a
						href="/console/?${new URLSearchParams({ q, order: each }).toString()}"
						${each === order && html`aria-current="true"`}
						>${name}</a
					>`,
			)}
		</nav>
	</div>`;
}
