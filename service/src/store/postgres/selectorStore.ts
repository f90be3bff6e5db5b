import { asARule, gapsFrom, selectorFrom } from '../selectorStore.ts';
import type { Gaps, SelectorStore, StepSelector } from '../selectorStore.ts';
import type { Connections } from './connections.ts';

export class PostgresSelectorStore implements SelectorStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async note(
		batchID: bigint,
		{ step, selector, field }: StepSelector,
		found: boolean,
	): Promise<void> {
		await this.#database.query(
			`INSERT INTO selectors (batch_id, step_id, field_id, selector, field, found) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (batch_id, step_id, field_id) DO UPDATE SET found = greatest(selectors.found, excluded.found)`,
			batchID,
			step,
			field?.id ?? '',
			selector,
			field?.name ?? '',
			Number(found),
		);
	}

	async emptyOf(batchID: bigint): Promise<StepSelector[]> {
		const found = await this.#database.query(
			`SELECT step_id, field_id, selector, field FROM selectors WHERE batch_id = $1 AND found = 0
			ORDER BY step_id COLLATE "C", field_id COLLATE "C"`,
			batchID,
		);
		return found.map(selectorFrom);
	}

	async notePages(
		batchID: bigint,
		{ step, field }: StepSelector,
		{ found, empty }: { found: number; empty: string | undefined },
	): Promise<void> {
		await this.#database.query(
			`UPDATE selectors SET
				found_before = CASE WHEN empty_pages = 0 THEN found_before + $4 ELSE found_before END,
				first_empty = CASE WHEN empty_pages = 0 THEN $6 ELSE first_empty END,
				found_pages = found_pages + $4, empty_pages = empty_pages + $5
			WHERE batch_id = $1 AND step_id = $2 AND field_id = $3`,
			batchID,
			step,
			field?.id ?? '',
			found,
			Number(empty !== undefined),
			empty ?? '',
		);
	}

	async emptyOnPages(batchID: bigint): Promise<Gaps[]> {
		const found = await this.#database.query(
			`SELECT step_id, field_id, selector, field, found_pages, empty_pages, first_empty FROM selectors
			WHERE batch_id = $1 AND found_pages > 0 AND empty_pages > 0
			AND (field_id = '' OR found_before >= $2 OR found_pages >= empty_pages * $3)
			ORDER BY step_id COLLATE "C", field_id COLLATE "C"`,
			batchID,
			asARule.firstPages,
			asARule.usually,
		);
		return found.map(gapsFrom);
	}
}
