import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { findTask, startRun } from '../../runs/runs.ts';
import { html, type Html } from '../../text/html.ts';
import { columnsOf, type Task } from '../../tasks/task.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { entriesOf, tokenIn } from '../entries.ts';
import { httpStatusOf } from '../failures.ts';
import { page, sendPage, type WholePage } from '../layout.ts';
import { sendLive } from '../live.ts';
import { draftOf } from '../../picker/draft.ts';
import { batchList, batchWindow, queryFor, type BatchWindow } from './batchList.ts';
import { isOutdated, startIn } from './startEntries.ts';
import { startForm, type StartFormState } from './startForm.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import { stepTree } from './stepTree.ts';
import { batchPath, filePath, taskPath } from '../paths.ts';
import { savedNotice } from '../savedNotice.ts';
import { useInN8n } from '../useInN8n.ts';
import { copyable, shortened } from '../words.ts';

type TaskRoute = { Params: { taskID: string }; Querystring: Record<string, unknown> };

/** A task: what it does, a form that starts it, and its batches. */
export function taskRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get<TaskRoute>('/tasks/:taskID', async (request, reply) => {
		const { taskID } = request.params;
		const task = parts.tasks.find(taskID);
		const isSaved = 'saved' in request.query;
		return sendPage(
			reply,
			await taskPage(parts, taskID, {
				window: batchWindow(request.query),
				site: parts.site(),
				notice: task && isSaved && savedNotice(request, task, parts, request.query.saved),
				// What says that the task is saved has it, too.
				inN8n: task && !isSaved && useInN8n(request, task, parts),
			}),
		);
	});
	server.get<TaskRoute>('/tasks/:taskID/live', (request, reply) => {
		const taskID = request.params.taskID;
		const window = batchWindow(request.query);
		return sendLive(parts, request, reply, async () => ({
			content: await batchList(parts.batches, taskID, window),
			isOver: false,
		}));
	});
	server.post<TaskRoute>('/tasks/:taskID/start', async (request, reply) => {
		const task = findTask(parts, request.params.taskID);
		const entries = entriesOf(request.body);
		const token = tokenIn(entries);
		const started = await parts.batches.startedBy(task.taskID, token);
		if (started) return reply.redirect(batchPath(started), 303);

		const again = async (
			mistakes: Map<string, string>,
			message?: string,
			code = 400,
		): Promise<FastifyReply> =>
			sendPage(
				reply.code(code),
				await taskPage(parts, task.taskID, {
					window: batchWindow({}),
					site: parts.site(),
					form: { token, entries, mistakes, message },
					inN8n: useInN8n(request, task, parts),
				}),
			);
		if (isOutdated(task, entries)) return again(new Map(), outdated, 409);
		const read = startIn(task, entries);
		if ('mistakes' in read) return again(read.mistakes);
		try {
			const starter = { id: token, once: true, log: request.log };
			const batch = await startRun(parts, read.start, starter);
			return reply.redirect(batchPath(batch), 303);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			return await again(new Map(), withoutPasswords(error.message), httpStatusOf(error));
		}
	});
}

const outdated =
	'Nothing was started: the task has changed since this page was opened. Check its values, then start.';

interface TaskPageState {
	window: BatchWindow;
	/** What `{site}` stands for. */
	site: string;
	/** A form that was sent and started nothing. */
	form?: Omit<StartFormState, 'site'>;
	notice?: Html | false;
	/** How to use the task in n8n. */
	inN8n?: Html | false;
}

async function taskPage(
	parts: ConsoleParts,
	taskID: string,
	{ window, site, form, notice, inN8n }: TaskPageState,
): Promise<WholePage> {
	const loaded = parts.tasks.findLoaded(taskID);
	const bad = loaded ? undefined : parts.tasks.findBad(taskID);
	if (!bad && (await parts.batches.count(taskID)) === 0) findTask(parts, taskID);
	const file = loaded?.file ?? bad?.file;
	const live = `${taskPath(taskID)}/live${queryFor(window)}`;
	const state = form ?? { token: tokenIn(new Map()), entries: new Map(), mistakes: new Map() };
	return page({
		title: loaded ? shortened(loaded.task.name) : `Task ${shortened(taskID, 40)}`,
		section: 'tasks',
		follows: 'its own',
		above: [{ name: 'Tasks', path: '/console/' }],
		actions: html`${loaded && draftOf(loaded.task) && pointForm(loaded.task.taskID)}
		${file !== undefined && fileActions(file, { isLoaded: loaded !== undefined })}`,
		content: html`
			${notice} ${bad && badNotice(bad.message)} ${!loaded && !bad && goneNotice}
			${
				loaded &&
				html`<div class="task">
					<div class="task-start">${startForm(loaded.task, { ...state, site })}</div>
					<div class="task-facts">
						${facts(loaded.task, basename(loaded.file))}
						${inN8n && html`<div class="card">${inN8n}</div>`}
					</div>
					<section class="task-steps">
						<h2>Steps</h2>
						<p class="muted">
							What the task does, one step after the other. A step with a step ID has a value that
							can be replaced for one batch: here in the form that starts it, in n8n under
							<b>Step Values</b>, by that ID.
						</p>
						${stepTree(loaded.task.steps, { site, names: namesOf(loaded.task) })}
					</section>
				</div>`
			}
			<section id="runs">
				<h2>Batches</h2>
				<div hx-sse:connect="${live}" hx-swap="innerMorph">
					${await batchList(parts.batches, taskID, window)}
				</div>
			</section>
		`,
	});
}

/** For tasks that could have been pointed together. */
function pointForm(taskID: string): Html {
	return html`<form method="post" action="${taskPath(taskID)}/point" data-once>
		<button>Change by pointing</button>
	</form>`;
}

function fileActions(file: string, { isLoaded }: { isLoaded: boolean }): Html {
	return html`<a class="button" href="${filePath(file)}">Edit the file</a>
		${
			isLoaded &&
			html`<form method="post" action="${filePath(file, 'duplicate')}" data-once>
				<button>Duplicate</button>
			</form>`
		}
		<form
			method="post"
			action="${filePath(file, 'delete')}"
			data-confirm="Delete this task? It can no longer be started, not from n8n either. Its batches stay, and you can bring the task back for a week."
			data-once
		>
			<button class="danger">Delete</button>
		</form>`;
}

const pageKinds = {
	http: 'plain HTML, without scripts',
	browser: 'in Chromium or Chrome, with scripts',
};

function facts(task: Task, file: string): Html {
	return html`<dl class="card">
		<dt><label for="task-name">Name</label></dt>
		<dd>
			<form class="rename" method="post" action="${filePath(file, 'rename')}">
				<input id="task-name" name="taskName" value="${task.name}" required />
				<button>Rename</button>
			</form>
		</dd>
		<dt>Task ID</dt>
		<dd>${copyable(task.taskID, 'the task ID')}</dd>
		<dt>Pages</dt>
		<dd><span class="badge">${task.page}</span> ${pageKinds[task.page]}</dd>
		<dt>File</dt>
		<dd><code>${file}</code></dd>
		<dt>Columns</dt>
		<dd>
			<ul class="columns">
				${[...namesOf(task).values()].map((name) => html`<li>${shortened(name)}</li>`)}
			</ul>
		</dd>
	</dl>`;
}

/** The names of a task's columns as people see them, by their ids. */
function namesOf(task: Task): Map<string, string> {
	const columns = distinctColumns({ fields: columnsOf(task) });
	return new Map(columns.map(({ id, name }) => [id, name]));
}

const goneNotice = html`<p class="notice warn">
	The file of this task is gone, so it can no longer be started. Its batches are still here.
</p>`;

function badNotice(message: string): Html {
	return html`<p class="notice bad">
		This task cannot be started: its file has a mistake. ${withoutPasswords(message)}. Edit the file
		to correct it.
	</p>`;
}
