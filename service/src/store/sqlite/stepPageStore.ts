import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PageKind, StepPageStore } from '../stepPageStore.ts';
import { promised } from './promised.ts';

export class SqliteStepPageStore implements StepPageStore {
	readonly #note: StatementSync;
	readonly #has: StatementSync;

	constructor(database: DatabaseSync) {
		this.#note = database.prepare(
			`INSERT OR IGNORE INTO step_pages (batch_id, step_id, kind)
			SELECT id, ?, ? FROM batches WHERE id = ?`,
		);
		this.#has = database.prepare(
			'SELECT 1 FROM step_pages WHERE batch_id = ? AND step_id = ? AND kind = ?',
		);
	}

	note(batchID: bigint, step: string, kind: PageKind): Promise<void> {
		return promised(() => void this.#note.run(step, kind, batchID));
	}

	has(batchID: bigint, step: string, kind: PageKind): Promise<boolean> {
		return promised(() => this.#has.get(batchID, step, kind) !== undefined);
	}
}
