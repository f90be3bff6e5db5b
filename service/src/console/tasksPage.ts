import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { v4 as newUuid, v5 as derivedUuid, validate as isUuid } from 'uuid';
import { html, type Html } from '../html.ts';
import type { BadFile, LoadedTask } from '../tasks/taskFiles.ts';
import { identifierKey } from '../identifierKey.ts';
import { withoutPasswords } from '../withoutPasswords.ts';
import { rowCount, statusBadge } from './batchStatus.ts';
import type { ConsoleParts } from './consoleParts.ts';
import { page, sendPage } from './layout.ts';
import { sendLive } from './live.ts';
import { batchPath, filePath, taskPath } from './paths.ts';
import { table } from './table.ts';
import { copyable, counted, shortened, timeOf } from './words.ts';

/** The tasks, their last runs, and the files that hold none. */
export function taskListRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) =>
		sendPage(reply, taskList(parts)),
	);
	server.get<{ Querystring: { visit?: string } }>('/tasks/live', (request, reply) => {
		const { visit: asked = '' } = request.query;
		const visit = isUuid(asked) ? asked : newUuid();
		return sendLive(parts, request, reply, () => ({
			content: tables(parts, visit),
			isOver: false,
		}));
	});
}

function taskList(parts: ConsoleParts): Html {
	const visit = newUuid();
	return page({
		title: 'Tasks',
		section: 'tasks',
		actions: html`<a class="button primary" href="/console/new">New task</a>`,
		content: html`
			${parts.batches.taskIDs().length === 0 && firstSteps}
			<div hx-sse:connect="/console/tasks/live?visit=${visit}" hx-swap="innerMorph">
				${tables(parts, visit)}
			</div>
		`,
	});
}

const firstSteps = html`<div class="notice">
	<p>Nothing has run yet. <b>Start</b> a task below and watch its rows come in.</p>
	<p>
		To use these tasks from n8n, copy the base URL and an API key from
		<a href="/console/keys">Keys</a>
		into a credential there.
	</p>
</div>`;

/** `visit`: a UUID of this view of the page, from which each task can be started once. */
function tables(parts: ConsoleParts, visit: string): Html {
	const { tasks, badFiles } = parts.tasks;
	const gone = goneTasks(parts);
	return html`
		${badFiles.length > 0 && badFileList(badFiles)}
		${tasks.length > 0 ? taskTable(parts, tasks, visit) : noTasks(parts)}
		${gone.length > 0 && goneTable(parts, gone)}
	`;
}

/** What people do first comes first: on a narrow window the rest is to be scrolled to. */
function taskTable(parts: ConsoleParts, tasks: LoadedTask[], visit: string): Html {
	return table(
		'Tasks',
		[
			'Task',
			{ name: 'Start', isUnseen: true },
			'Last run',
			{ name: 'Rows', isNumber: true },
			'Task ID',
		],
		tasks.map(
			({ task }) =>
				html`<tr>
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
					${lastRun(parts, task.taskID)}
					<td>${copyable(task.taskID, `the task ID of ${task.name}`)}</td>
				</tr>`,
		),
		'tasks',
	);
}

/** The cells of a task's newest batch. */
function lastRun({ batches }: ConsoleParts, taskID: string): Html {
	const [batch] = batches.list(taskID, 0, { offset: 0, size: 1 });
	if (!batch)
		return html`<td class="muted">never</td>
			<td class="number"></td>`;
	return html`<td>
			<a class="run" href="${batchPath(batch)}"
				>${statusBadge(batch)} ${timeOf(batch.endTime || batch.createTime)}</a
			>
			${batch.failedPages > 0 && html`<span class="muted">${counted(batch.failedPages, 'failed page')}</span>`}
		</td>
		<td class="number">${rowCount(batch)}</td>`;
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

function noTasks({ settings }: ConsoleParts): Html {
	return html`<p class="notice">
		There is no task in <code>${settings.tasks}</code>. A task is a JSON file in that folder; it is
		here as soon as it is there.
	</p>`;
}

/** The identifiers of tasks that have batches and no file any more. */
function goneTasks({ batches, tasks }: ConsoleParts): string[] {
	const there = new Set(tasks.tasks.map(({ task }) => identifierKey(task.taskID)));
	return batches.taskIDs().filter((taskID) => !there.has(identifierKey(taskID)));
}

function goneTable(parts: ConsoleParts, taskIDs: string[]): Html {
	return html`<section>
		<h2>Runs of tasks whose file is gone</h2>
		${table(
			'Runs of tasks whose file is gone',
			['Task ID', 'Last run', { name: 'Rows', isNumber: true }],
			taskIDs.map(
				(taskID) =>
					html`<tr>
						<th scope="row"><a href="${taskPath(taskID)}">${taskID}</a></th>
						${lastRun(parts, taskID)}
					</tr>`,
			),
		)}
	</section>`;
}
