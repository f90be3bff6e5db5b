import { numberIn } from '../columns.ts';
import { slotTime, type Slots } from '../machines.ts';
import type { Connections } from './connections.ts';

export class PostgresSlots implements Slots {
	readonly #database: Connections;
	readonly #process: string;

	/** `process`: a name that no other process has. */
	constructor(database: Connections, process: string) {
		this.#database = database;
		this.#process = process;
	}

	async lease(
		key: string,
		{ limit, wanted, using }: { limit: number; wanted: number; using: number },
	): Promise<number> {
		const [columns] = await this.#database.query(
			'SELECT lease_slots($1, $2, $3, $4, $5, $6) AS slots',
			key,
			this.#process,
			limit,
			wanted,
			using,
			slotTime,
		);
		return numberIn(columns, 'slots');
	}

	/** Gives back all: nothing is under way any more. */
	async close(): Promise<void> {
		await this.#database.query('DELETE FROM slots WHERE holder = $1', this.#process);
	}
}
