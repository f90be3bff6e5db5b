import { identifierKey } from '../../text/identifierKey.ts';
import { numberIn, textIn } from '../columns.ts';
import { storedTextFrom, TaskIDTaken, textHash } from '../taskStore.ts';
import type { DeletedText, Import, StoredText, TaskStore, TaskText } from '../taskStore.ts';
import { now, type Connections, type Query } from './connections.ts';
import { codeOf } from './outage.ts';
import type { StandingConnection } from './standingConnection.ts';

/** Where it is told that tasks have changed: by a trigger of their table. */
const tasksChannel = 'cloud_scraping_tasks';

/** Identifiers of deleted tasks as they are in addresses. */
const identifier = /^\d{1,18}$/;

export class PostgresTaskStore implements TaskStore {
	readonly #database: Connections;
	readonly #listeners: (() => void)[] = [];

	static async open(database: Connections, standing: StandingConnection): Promise<TaskStore> {
		const store = new PostgresTaskStore(database);
		const tell = () => {
			for (const heard of store.#listeners) heard();
		};
		await standing.listen(tasksChannel, tell);
		// While it was lost, nobody could tell.
		standing.onBack(tell);
		return store;
	}

	private constructor(database: Connections) {
		this.#database = database;
	}

	async hashes(): Promise<Map<string, string>> {
		const found = await this.#database.query(
			'SELECT name, hash FROM tasks ORDER BY name COLLATE "C"',
		);
		return new Map(found.map((columns) => [textIn(columns, 'name'), textIn(columns, 'hash')]));
	}

	async read(names?: string[]): Promise<StoredText[]> {
		const found = await this.#database.query(
			'SELECT name, task_id, text, hash FROM tasks WHERE $1::text[] IS NULL OR name = ANY ($1) ORDER BY name COLLATE "C"',
			names ?? null,
		);
		return found.map(storedTextFrom);
	}

	async put(task: TaskText, before: string | undefined): Promise<boolean> {
		const { query } = this.#database;
		const put = before === undefined ? insertTask(query, task) : replace(query, task, before);
		return put.catch(taken);
	}

	putAll(compare: (stored: StoredText[]) => Import): Promise<Import> {
		return this.#database.transaction(async (query) => {
			// Others may read.
			await query('LOCK TABLE tasks IN SHARE ROW EXCLUSIVE MODE');
			const stored = await query(
				'SELECT name, task_id, text, hash FROM tasks ORDER BY name COLLATE "C"',
			);
			const found = compare(stored.map(storedTextFrom));
			for (const task of found.changed) await replace(query, task);
			for (const task of found.added) await insertTask(query, task);
			await query('INSERT INTO first_tasks DEFAULT VALUES ON CONFLICT DO NOTHING');
			return found;
		});
	}

	async hasBegun(): Promise<boolean> {
		return (await this.#database.query('SELECT 1 FROM first_tasks')).length > 0;
	}

	begin(tasks: TaskText[]): Promise<void> {
		return this.#database.transaction(async (query) => {
			// Of several services that start at once, the others wait here for the first.
			const isFirst = await query(
				'INSERT INTO first_tasks DEFAULT VALUES ON CONFLICT DO NOTHING RETURNING were_put',
			);
			if (isFirst.length > 0) for (const task of tasks) await insertTask(query, task);
		});
	}

	async delete(name: string): Promise<string | undefined> {
		const [columns] = await this.#database.query(
			`WITH deleted AS (DELETE FROM tasks WHERE name = $1 RETURNING name, text)
			INSERT INTO deleted_tasks (name, text, time) SELECT name, text, ${now} FROM deleted RETURNING id::text`,
			name,
		);
		return columns && textIn(columns, 'id');
	}

	async deletedIn(milliseconds: number): Promise<DeletedText[]> {
		await this.#database.query(
			`DELETE FROM deleted_tasks WHERE time <= ${now} - $1::bigint`,
			milliseconds,
		);
		const found = await this.#database.query(
			'SELECT id::text AS id, name, text, time FROM deleted_tasks ORDER BY time DESC, deleted_tasks.id DESC',
		);
		return found.map((columns) => ({
			id: textIn(columns, 'id'),
			name: textIn(columns, 'name'),
			text: textIn(columns, 'text'),
			time: numberIn(columns, 'time'),
		}));
	}

	async bringBack(id: string, task: TaskText): Promise<boolean> {
		if (!identifier.test(id)) return false;
		const back = this.#database.query(
			`WITH free AS (SELECT 1 WHERE NOT EXISTS (SELECT FROM tasks WHERE name = $2)),
			back AS (DELETE FROM deleted_tasks WHERE id = $1::bigint AND EXISTS (SELECT FROM free) RETURNING id)
			INSERT INTO tasks (name, task_id, text, hash) SELECT $2, $3, $4, $5 FROM back RETURNING name`,
			id,
			...valuesOf(task),
		);
		return (await back.catch(taken)).length > 0;
	}

	onChange(heard: () => void): void {
		this.#listeners.push(heard);
	}
}

function valuesOf({ name, taskID, text }: TaskText): [string, string, string, string] {
	return [name, identifierKey(taskID), text, textHash(text)];
}

/** Unless there is one of this name. */
export async function insertTask(query: Query, task: TaskText): Promise<boolean> {
	const done = await query(
		`INSERT INTO tasks (name, task_id, text, hash) VALUES ($1, $2, $3, $4)
		ON CONFLICT (name) DO NOTHING RETURNING name`,
		...valuesOf(task),
	);
	return done.length > 0;
}

/** Unless `before` is absent, only the text with this hash. */
async function replace(query: Query, task: TaskText, before?: string): Promise<boolean> {
	const done = await query(
		`UPDATE tasks SET task_id = $2, text = $3, hash = $4
		WHERE name = $1 AND ($5::text IS NULL OR hash = $5) RETURNING name`,
		...valuesOf(task),
		before ?? null,
	);
	return done.length > 0;
}

/** PostgreSQL's code for a value that is there once already: that of a name is dealt with before. */
const notUnique = '23505';

function taken(error: unknown): never {
	throw codeOf(error) === notUnique ? new TaskIDTaken() : error;
}
