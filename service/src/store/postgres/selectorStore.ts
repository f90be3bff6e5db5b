import { asARule, gapsFrom, selectorFrom } from '../selectorStore.ts';
import type {
	Gaps,
	SelectorPages,
	SelectorStore,
	StepSelector,
	UsedSelector,
} from '../selectorStore.ts';
import type { Connections } from './connections.ts';

export class PostgresSelectorStore implements SelectorStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async note(batchID: bigint, used: UsedSelector[]): Promise<void> {
		await this.#database.query(
			`INSERT INTO selectors (batch_id, step_id, field_id, selector, field, found)
			SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[])
			ON CONFLICT (batch_id, step_id, field_id) DO UPDATE SET found = greatest(selectors.found, excluded.found)`,
			batchID,
			used.map(({ selector }) => selector.step),
			used.map(({ selector }) => selector.field?.id ?? ''),
			used.map(({ selector }) => selector.selector),
			used.map(({ selector }) => selector.field?.name ?? ''),
			used.map(({ found }) => Number(found)),
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

	async notePages(batchID: bigint, pages: SelectorPages[]): Promise<void> {
		await this.#database.query(
			`UPDATE selectors SET
				found_before = CASE WHEN empty_pages = 0 THEN found_before + before ELSE found_before END,
				first_empty = CASE WHEN empty_pages = 0 THEN first ELSE first_empty END,
				found_pages = found_pages + more, empty_pages = empty_pages + empty
			FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
				AS given (step, for_field, more, before, empty, first)
			WHERE batch_id = $1 AND step_id = step AND field_id = for_field`,
			batchID,
			pages.map(({ selector }) => selector.step),
			pages.map(({ selector }) => selector.field?.id ?? ''),
			pages.map(({ found }) => found),
			pages.map(({ foundBefore }) => foundBefore),
			pages.map(({ empty }) => empty),
			pages.map(({ firstEmpty }) => firstEmpty),
		);
	}

	async forgetPages(batchID: bigint): Promise<void> {
		await this.#database.query(
			`UPDATE selectors SET found_before = 0, found_pages = 0, empty_pages = 0, first_empty = ''
			WHERE batch_id = $1`,
			batchID,
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
