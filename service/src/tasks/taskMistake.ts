/** A mistake in a task: `path` is a JSON pointer into its file. */
export class TaskMistake extends Error {
	readonly path: string;

	constructor(path: string, message: string) {
		super(`${path === '' ? 'The file' : path} ${message}`);
		this.path = path;
	}
}
