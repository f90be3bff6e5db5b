import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { v4 as newUuid } from 'uuid';
import { ServiceError } from '../../errors/serviceError.ts';
import { reasonOf } from '../../errors/thrown.ts';
import { placeOf } from '../../tasks/placeInText.ts';
import type { LoadedTask } from '../../tasks/tasks.ts';
import type { TextFile } from '../../tasks/textFile.ts';
import { name as taskName } from '../../tasks/values.ts';
import { withoutPasswords } from '../../log/withoutPasswords.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { entriesOf } from '../entries.ts';
import { taskPath } from '../paths.ts';

type FileRoute = { Params: { name: string } };

/** A task is renamed, duplicated, deleted, and brought back: its file is. */
export function fileActionRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	const { tasks } = parts;

	server.post<FileRoute>('/files/rename/:name', ({ params, body }, reply) =>
		inTurn(parts, 'renamed', async () => {
			const name = taskName.safeParse(entriesOf(body).get('taskName')?.trim());
			if (!name.success) throw new Error('Give the task a name that people can see.');
			const { task, content } = await loadedFile(parts, params.name);
			const text = withMembers(content.text, { name: name.data });
			await tasks.save({ name: params.name, text, before: content.hash }, reply.log);
			return reply.redirect(`${taskPath(task.taskID)}?saved=renamed`, 303);
		}),
	);
	server.post<FileRoute>('/files/duplicate/:name', ({ params }, reply) =>
		inTurn(parts, 'duplicated', async () => {
			const { task, content } = await loadedFile(parts, params.name);
			const copy = { taskID: newUuid(), name: `${task.name} (copy)` };
			const text = withMembers(content.text, copy);
			await tasks.save({ name: tasks.freeName(copy.name), text, before: undefined }, reply.log);
			return reply.redirect(`${taskPath(copy.taskID)}?saved=copy`, 303);
		}),
	);
	server.post<FileRoute>('/files/delete/:name', ({ params: { name } }, reply) =>
		inTurn(parts, 'deleted', async () => {
			if (!tasks.has(name)) throw noFile(name);
			const id = await tasks.delete(name, reply.log);
			return reply.redirect(`/console/?deleted=${encodeURIComponent(id)}`, 303);
		}),
	);
	server.post<FileRoute>('/files/bring-back/:name', ({ params }, reply) =>
		inTurn(parts, 'brought back', async () => {
			const file = (await tasks.deleted()).find(({ id }) => id === params.name);
			if (!file) throw noFile(params.name);
			const other = file.task && tasks.findLoaded(file.task.taskID);
			if (other) {
				throw new Error(`The task “${other.task.name}” now has its task ID.`);
			}
			await tasks.bringBack(file, reply.log);
			return reply.redirect(file.task ? taskPath(file.task.taskID) : '/console/', 303);
		}),
	);
}

/** Does something to files, one after the other; throws a ServiceError for people where that fails. */
function inTurn<Result>(
	{ tasks }: ConsoleParts,
	done: string,
	work: () => Promise<Result>,
): Promise<Result> {
	return tasks.inTurn(work).catch((error: unknown) => {
		if (error instanceof ServiceError) throw error;
		const reason = withoutPasswords(reasonOf(error));
		throw new ServiceError('conflict', `Nothing was ${done}. ${reason}`);
	});
}

async function loadedFile(
	{ tasks }: ConsoleParts,
	name: string,
): Promise<LoadedTask & { content: TextFile }> {
	const loaded = tasks.tasks.find(({ file }) => basename(file) === name);
	const content = loaded && (await tasks.open(name));
	if (!loaded || !content) throw noFile(name);
	return { ...loaded, content };
}

function noFile(name: string): ServiceError {
	return new ServiceError('notFound', `There is no task file "${name.slice(0, 100)}".`);
}

/** A JSON text with other values of some members that it has; the rest stays as it was written. */
function withMembers(text: string, members: Record<string, string>): string {
	let changed = text;
	for (const [name, value] of Object.entries(members)) {
		const place = placeOf(`/${name}`, changed);
		if (!place) throw new Error('Its file no longer holds a task.');
		const { offset, length } = place;
		changed = changed.slice(0, offset) + JSON.stringify(value) + changed.slice(offset + length);
	}
	return changed;
}
