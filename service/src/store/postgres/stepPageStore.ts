import type { PageKind, StepPageStore } from '../stepPageStore.ts';
import type { Connections } from './connections.ts';

export class PostgresStepPageStore implements StepPageStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async note(batchID: bigint, step: string, kind: PageKind): Promise<void> {
		await this.#database.query(
			`INSERT INTO step_pages (batch_id, step_id, kind) SELECT id, $2, $3 FROM batches WHERE id = $1
			ON CONFLICT DO NOTHING`,
			batchID,
			step,
			kind,
		);
	}

	async has(batchID: bigint, step: string, kind: PageKind): Promise<boolean> {
		const found = await this.#database.query(
			'SELECT kind FROM step_pages WHERE batch_id = $1 AND step_id = $2 AND kind = $3',
			batchID,
			step,
			kind,
		);
		return found.length > 0;
	}
}
