import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { v4 as newUuid, v5 as derivedUuid, validate as isUuid } from 'uuid';
import { html, type Html } from '../text/html.ts';
import type { Task } from '../tasks/task.ts';
import { keptFor, type DeletedFile } from '../tasks/deletedFiles.ts';
import type { BadFile, LoadedTask } from '../tasks/tasks.ts';
import { identifierKey } from '../text/identifierKey.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';
import { rowCount, statusBadge, statusNote } from './batchStatus.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { page, sendPage, type WholePage } from './layout.ts';
import { sendLive } from './live.ts';
import { batchPath, filePath, taskPath } from './paths.ts';
import { taskSearch, tasksIn, taskWindow, type TaskWindow } from './taskWindow.ts';
import { table } from './table.ts';
import { copyable, counted, shortened, timeOf } from './words.ts';

type ListRoute = { Querystring: Record<string, unknown> };

/** The tasks, their latest batches, and the files that hold none. */
export function taskListRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get<ListRoute>('/', { prefixTrailingSlash: 'slash' }, async ({ query }, reply) =>
		sendPage(reply, await taskList(parts, taskWindow(query), query.deleted)),
	);
	server.get<ListRoute>('/tasks/live', (request, reply) => {
		const { query } = request;
		const { visit: asked = '' } = query;
		const visit = typeof asked === 'string' && isUuid(asked) ? asked : newUuid();
		const window = taskWindow(query);
		return sendLive(parts, request, reply, async () => ({
			content: await tables(parts, window, visit),
			isOver: false,
		}));
	});
}

/** `justNow`: the deleted file that its reader has just deleted. */
async function taskList(
	parts: ConsoleParts,
	window: TaskWindow,
	justNow: unknown,
): Promise<WholePage> {
	const deleted = await parts.tasks.deleted();
	const visit = newUuid();
	const live = new URLSearchParams({ ...window, visit }).toString();
	const gone = deleted.find(({ id }) => id === justNow);
	return page({
		title: 'Tasks',
		section: 'tasks',
		follows: 'its own',
		actions: html`<a class="button primary" href="/console/new">New task</a>`,
		content: html`
			${gone && deletedNotice(gone)}
			${parts.tasks.size > 0 && (await parts.batches.taskIDs()).length === 0 && firstSteps}
			${parts.tasks.size > 1 && taskSearch(window)}
			<div hx-sse:connect="/console/tasks/live?${live}" hx-swap="innerMorph">
				${await tables(parts, window, visit)}
			</div>
			${deleted.length > 0 && deletedTable(deleted)}
		`,
	});
}

function deletedNotice(file: DeletedFile): Html {
	return html`<div class="notice good" role="status">
		<p>
			The task <b><bdi>${nameOf(file)}</bdi></b> is deleted.
		</p>
		${bringBackForm(file, 'Undo')}
	</div>`;
}

function deletedTable(files: DeletedFile[]): Html {
	return html`<section>
		<h2>Deleted tasks</h2>
		${table(
			'Deleted tasks',
			['Task', 'Deleted', 'Can be brought back until', { name: 'Bring back', isUnseen: true }],
			files.map(
				(file) =>
					html`<tr>
						<th scope="row"><bdi>${nameOf(file)}</bdi></th>
						<td data-label="Deleted">${timeOf(file.time)}</td>
						<td data-label="Until">${timeOf(file.time + keptFor)}</td>
						<td class="number">${bringBackForm(file, 'Bring back')}</td>
					</tr>`,
			),
		)}
	</section>`;
}

function bringBackForm(file: DeletedFile, text: string): Html {
	return html`<form method="post" action="${filePath(file.id, 'bring-back')}" data-once>
		<button aria-label="${text}: ${nameOf(file)}">${text}</button>
	</form>`;
}

function nameOf({ name, task }: DeletedFile): string {
	return shortened(task?.name ?? name);
}

const firstSteps = html`<div class="notice">
	<p>Nothing has run yet. <b>Start</b> a task below and watch its rows come in.</p>
	<p>
		To use these tasks from n8n, copy the base URL and an API key from
		<a href="/console/keys">Keys</a>
		into a credential there, unless the playground (<code>npm start</code>) has made one.
	</p>
</div>`;

/** `visit`: a UUID of this view of the page, from which each task can be started once. */
async function tables(parts: ConsoleParts, window: TaskWindow, visit: string): Promise<Html> {
	const { tasks, badFiles } = parts.tasks;
	const gone = await goneTasks(parts);
	return html`
		${badFiles.length > 0 && badFileList(badFiles)}
		${tasks.length > 0 ? await foundTasks(parts, window, visit) : noTasks(parts)}
		${gone.length > 0 && window.q === '' && (await goneTable(parts, gone))}
	`;
}

async function foundTasks(parts: ConsoleParts, window: TaskWindow, visit: string): Promise<Html> {
	const found = await tasksIn(parts, window);
	if (found.length > 0) return taskTable(parts, found, visit);
	return html`<p class="empty">
		No task has “${window.q}” in its name or task ID. <a href="/console/">Show all tasks</a>
	</p>`;
}

/** What people do first comes first: on a narrow window the rest is to be scrolled to. */
async function taskTable(parts: ConsoleParts, tasks: LoadedTask[], visit: string): Promise<Html> {
	const rows = await Promise.all(tasks.map(({ task }) => taskRow(parts, task, visit)));
	return table(
		'Tasks',
		[
			'Task',
			{ name: 'Start', isUnseen: true },
			'Latest batch',
			{ name: 'Rows', isNumber: true },
			'Task ID',
		],
		rows,
	);
}

async function taskRow(parts: ConsoleParts, task: Task, visit: string): Promise<Html> {
	return html`<tr>
		<th scope="row">
			<a href="${taskPath(task.taskID)}"><bdi>${shortened(task.name)}</bdi></a>
			<span class="kind">${task.page}</span>
		</th>
		<td>
			<form method="post" action="${taskPath(task.taskID)}/start" data-once>
				<input type="hidden" name="token" value="${derivedUuid(task.taskID, visit)}" />
				<button aria-label="Start ${task.name}">Start</button>
			</form>
		</td>
		${await latestBatch(parts, task.taskID)}
		<td>${copyable(task.taskID, `the task ID of ${task.name}`)}</td>
	</tr>`;
}

/** The cells of a task's newest batch. */
async function latestBatch({ batches }: ConsoleParts, taskID: string): Promise<Html> {
	const [batch] = await batches.list(taskID, 0, { offset: 0, size: 1 });
	if (!batch)
		return html`<td class="muted" data-label="Latest batch">none</td>
			<td class="number"></td>`;
	return html`<td>
			<a class="run" href="${batchPath(batch)}"
				>${statusBadge(batch)} ${timeOf(batch.endTime || batch.createTime)}</a
			>
			${statusNote(batch)}
		</td>
		<td class="number" data-label="Rows">${rowCount(batch)}</td>`;
}

function badFileList(files: BadFile[]): Html {
	return html`<section class="notice bad">
		<h2>${counted(files.length, 'task file')} could not be loaded</h2>
		<ul>
			${files.map(
				({ file, message }) =>
					html`<li>
						<a href="${filePath(file)}">${basename(file)}</a>: ${withoutPasswords(message)}
					</li>`,
			)}
		</ul>
	</section>`;
}

function noTasks({ tasks: { folder } }: ConsoleParts): Html {
	return html`<div class="notice">
		<p>
			There is no task yet. Make one with <a href="/console/new">New task</a>: you enter the address
			of a page, and point at what you want to read.
		</p>
		<p class="muted">
			${
				folder === undefined
					? html`A task is a JSON file: <code>cloud-scraping-service tasks import FOLDER</code> puts
							those of a folder into the database, where they appear at once.`
					: html`A task is a JSON file in <code>${folder}</code>: one that you put there appears as
							soon as it is saved.`
			}
		</p>
	</div>`;
}

/** The identifiers of tasks that have batches and no file any more. */
async function goneTasks({ batches, tasks }: ConsoleParts): Promise<string[]> {
	const there = new Set(tasks.tasks.map(({ task }) => identifierKey(task.taskID)));
	return (await batches.taskIDs()).filter((taskID) => !there.has(identifierKey(taskID)));
}

async function goneTable(parts: ConsoleParts, taskIDs: string[]): Promise<Html> {
	const rows = await Promise.all(
		taskIDs.map(
			async (taskID) =>
				html`<tr>
					<th scope="row"><a href="${taskPath(taskID)}">${taskID}</a></th>
					${await latestBatch(parts, taskID)}
				</tr>`,
		),
	);
	return html`<section>
		<h2>Batches of tasks whose file is gone</h2>
		${table(
			'Batches of tasks whose file is gone',
			['Task ID', 'Latest batch', { name: 'Rows', isNumber: true }],
			rows,
		)}
	</section>`;
}
