import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The UUID that stands for a name in the tasks of a test. */
export function uuidOf(name: string): string {
	const hex = createHash('sha256').update(name).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A step of a task file; its id is the UUID of `name`. */
export function step(type: string, config: object, name = `${type} ${JSON.stringify(config)}`) {
	return { id: uuidOf(name), type, config };
}

/** A loop step. */
export function loop(config: object, steps: object[], name?: string) {
	return step('loop', { ...config, steps }, name);
}

/** An Extract Data step: column name -> selector, or the whole rule of the field. */
export function extract(
	columns: Record<string, string | object>,
	selector?: string,
	config: { emit?: boolean } = {},
) {
	const fields = Object.entries(columns).map(([name, rule]) => ({
		id: uuidOf(`${selector} ${name}`),
		name,
		...(typeof rule === 'string' ? { selector: rule } : rule),
	}));
	return step('extractData', { ...(selector !== undefined && { selector }), ...config, fields });
}

/** A task; its taskID is the UUID of `name`. */
export function task(name: string, steps: object[], rest: object = {}) {
	return { taskID: uuidOf(name), name, page: 'http', steps, ...rest };
}

/**
 * Writes each task (or text, or bytes) to a file of its own in a folder, which is created. Each comes into its place whole:
 * a service that looks while it is written would take it for a bad one, and say later that it was loaded, not changed.
 */
export async function writeTasks(folder: string, tasks: Record<string, unknown>): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const [name, content] of Object.entries(tasks)) {
		const isText = typeof content === 'string' || content instanceof Buffer;
		const text = isText ? content : JSON.stringify(content);
		const hidden = join(folder, `.${name}.json`);
		await writeFile(hidden, text);
		await rename(hidden, join(folder, `${name}.json`));
	}
}

export const pageKinds = ['http', 'browser'] as const;

/** Each task as a file for both kinds of pages, its id that of its name and the kind. */
export function onBothPages(
	tasks: Record<string, object>,
	baseUrl: string,
): Record<string, string> {
	const files: Record<string, string> = {};
	for (const page of pageKinds) {
		for (const [name, content] of Object.entries(tasks)) {
			const onPage = { ...content, page, taskID: uuidOf(`${name} ${page}`) };
			files[`${name} ${page}`] = JSON.stringify(onPage).replaceAll('{base}', baseUrl);
		}
	}
	return files;
}
