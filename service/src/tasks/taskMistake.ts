/** A mistake in a task: `path` is a JSON pointer into its file. */
export class TaskMistake extends Error {
	readonly path: string;

	constructor(path: string, message: string) {
		super(`${path === '' ? 'The file' : path} ${message}`);
		this.path = path;
	}

	/** This mistake, with others that are told behind it; `left`: how many more there are. */
	with(others: TaskMistake[], left: number): this {
		const told = [this, ...others].map(({ message }) => message);
		this.message = [...told, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
		return this;
	}
}
