import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { html, type Html } from '../../text/html.ts';
import { reasonOf } from '../../errors/thrown.ts';
import type { Task } from '../../tasks/task.ts';
import { FileChanged } from '../../tasks/tasks.ts';
import { identifierKey } from '../../text/identifierKey.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { sendPage, type WholePage } from '../layout.ts';
import { hasSession, refuse as refuseVisitor } from '../access.ts';
import { untilUnwanted } from '../live.ts';
import { entriesOf } from '../entries.ts';
import {
	conflictNotice,
	editorPage,
	encodingNotice,
	goneHash,
	lostFilePage,
	type Editor,
} from './taskEditorPage.ts';
import { mistakeLine, taskIn } from './taskText.ts';
import { announced, trialResult } from '../trial/trialResult.ts';
import { Trials } from '../../runs/trial.ts';
import { taskPath } from '../paths.ts';

type FileRoute = { Params: { name: string } };

/** Rows that a trial brings at most. */
const triedRows = 20;

/** The editor of a task file: it checks while one types, tries what is entered, and saves it. */
export function taskEditorRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	const trials = new Trials();
	server.get<FileRoute>('/files/edit/:name', async ({ params: { name } }, reply) => {
		const file = await parts.tasks.open(name).catch(refuse);
		if (!file) throw new ServiceError('notFound', `There is no task file "${name}".`);
		return sendPage(reply, editor(parts, { ...file, name, notice: encodingNotice(file) }));
	});
	server.post<FileRoute>('/files/edit/:name', ({ params: { name }, body }, reply) =>
		parts.tasks.inTurn(() => save(parts, name, entryOf(body), reply)),
	);
	server.post<FileRoute>('/files/check/:name', ({ params: { name }, body }, reply) =>
		sendPage(reply, checked(parts, name, entryOf(body).text)),
	);
	server.post<FileRoute>('/files/try/:name', async (request, reply) => {
		const { text } = entryOf(request.body);
		const read = taskIn(text, request.params.name, parts.tasks);
		if ('mistake' in read) return sendPage(reply, said(mistakeLine(read.mistake), 'Not tried.'));
		try {
			const trial = await trials.run(read.task, {
				rows: triedRows,
				signal: untilUnwanted(parts, reply),
				browser: parts.settings.browser,
				site: parts.site(),
			});
			if (!(await hasSession(parts, request))) return refuseVisitor(request, reply);
			if (!trial) return sendPage(reply, said(html`<p class="mistake">${tooMany}</p>`, tooMany));
			const bounds = { wanted: triedRows, seconds: trials.seconds };
			return sendPage(reply, trialResult(read.task, trial, bounds));
		} catch (error) {
			const reason = withoutPasswords(reasonOf(error));
			return sendPage(reply, said(html`<p class="mistake">${reason}</p>`, reason));
		}
	});
}

const tooMany = 'Too many trials are running. Wait until one is done, then try again.';

/** What stands in the editor's form. */
interface Entry {
	text: string;
	hash: string;
	/** The hash of what is to be overwritten although it was never shown. */
	overwrite: string | undefined;
}

function entryOf(body: unknown): Entry {
	const entries = entriesOf(body);
	return {
		// Pasted texts may begin with a byte order mark.
		text: (entries.get('text') ?? '').replace(/^\uFEFF/, ''),
		hash: entries.get('hash') ?? '',
		overwrite: entries.get('overwrite'),
	};
}

async function save(
	parts: ConsoleParts,
	name: string,
	{ text, hash, overwrite }: Entry,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { tasks } = parts;
	if (!tasks.has(name)) {
		return sendPage(reply.code(404), lostFilePage(name, text, tasks.folder));
	}
	const again = (code: number, notice: Html) =>
		sendPage(reply.code(code), editor(parts, { name, text, hash, notice, isUnsaved: true }));
	const read = taskIn(text, name, tasks);
	if ('mistake' in read) return again(400, refusal('Nothing was saved: the text is not a task.'));
	try {
		const now = await tasks.open(name);
		const nowHash = now?.hash ?? goneHash;
		if (nowHash !== hash && nowHash !== overwrite) return again(409, conflictNotice(name, now));
		await tasks.save({ name, text, before: now?.hash }, reply.log);
	} catch (error) {
		if (error instanceof FileChanged) {
			return again(409, conflictNotice(name, await tasks.open(name)));
		}
		return again(500, refusal(`Nothing was saved. ${reasonOf(error)}`));
	}
	return reply.redirect(`${taskPath(read.task.taskID)}?saved`, 303);
}

function refusal(message: string): Html {
	return html`<p class="notice bad" role="alert">
		${withoutPasswords(message)} Your text is still below.
	</p>`;
}

function editor(parts: ConsoleParts, shown: Omit<Editor, 'check' | 'task'>): WholePage {
	const { name, text } = shown;
	return editorPage({ ...shown, check: checked(parts, name, text), task: taskOf(parts, name) });
}

function checked(parts: ConsoleParts, name: string, text: string): Html {
	const read = taskIn(text, name, parts.tasks);
	return 'mistake' in read
		? mistakeLine(read.mistake)
		: html`<p class="fine">No mistakes in this task.</p>
				${isOther(parts, name, read.task) && otherTask}`;
}

/** Whether a text makes another task of a file, by another taskID. */
function isOther(parts: ConsoleParts, name: string, { taskID }: Task): boolean {
	const now = taskOf(parts, name);
	return now !== undefined && identifierKey(now.taskID) !== identifierKey(taskID);
}

/** The task that is in a file now. */
function taskOf({ tasks }: ConsoleParts, name: string): Task | undefined {
	return tasks.tasks.find(({ file }) => basename(file) === name)?.task;
}

const otherTask = html`<p class="mistake">
	The task ID has changed: once saved, this is another task. The old one is gone, for n8n too; its
	batches stay.
</p>`;

function said(content: Html, announcement: string): Html {
	return html`<section>
			<h2>Try</h2>
			${content}
		</section>
		${announced(announcement)}`;
}

function refuse(error: unknown): never {
	throw new ServiceError('badRequest', reasonOf(error));
}
