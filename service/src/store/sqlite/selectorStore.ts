import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asARule, gapsFrom, selectorFrom } from '../selectorStore.ts';
import type {
	Gaps,
	SelectorPages,
	SelectorStore,
	StepSelector,
	UsedSelector,
} from '../selectorStore.ts';
import { transaction } from './database.ts';
import { promised } from './promised.ts';

export class SqliteSelectorStore implements SelectorStore {
	readonly #database: DatabaseSync;
	readonly #note: StatementSync;
	readonly #empty: StatementSync;
	readonly #notePages: StatementSync;
	readonly #forgetPages: StatementSync;
	readonly #gaps: StatementSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
		this.#note = database.prepare(
			`INSERT INTO selectors (batch_id, step_id, field_id, selector, field, found) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET found = max(found, excluded.found)`,
		);
		this.#empty = database.prepare(
			'SELECT step_id, field_id, selector, field FROM selectors WHERE batch_id = ? AND found = 0',
		);
		this.#notePages = database.prepare(
			`UPDATE selectors SET
				found_before = CASE WHEN empty_pages = 0 THEN found_before + ?5 ELSE found_before END,
				first_empty = CASE WHEN empty_pages = 0 THEN ?7 ELSE first_empty END,
				found_pages = found_pages + ?4, empty_pages = empty_pages + ?6
			WHERE batch_id = ?1 AND step_id = ?2 AND field_id = ?3`,
		);
		this.#forgetPages = database.prepare(
			`UPDATE selectors SET found_before = 0, found_pages = 0, empty_pages = 0, first_empty = ''
			WHERE batch_id = ?`,
		);
		this.#gaps = database.prepare(
			`SELECT step_id, field_id, selector, field, found_pages, empty_pages, first_empty FROM selectors
			WHERE batch_id = ?1 AND found_pages > 0 AND empty_pages > 0
			AND (field_id = '' OR found_before >= ?2 OR found_pages >= empty_pages * ?3)`,
		);
	}

	note(batchID: bigint, used: UsedSelector[]): Promise<void> {
		return this.#forEach(used, ({ selector: { step, selector, field }, found }) =>
			this.#note.run(batchID, step, field?.id ?? '', selector, field?.name ?? '', Number(found)),
		);
	}

	emptyOf(batchID: bigint): Promise<StepSelector[]> {
		return promised(() => this.#empty.all(batchID).map(selectorFrom));
	}

	notePages(batchID: bigint, pages: SelectorPages[]): Promise<void> {
		return this.#forEach(pages, ({ selector: { step, field }, ...pagesOf }) => {
			const { found, foundBefore, empty, firstEmpty } = pagesOf;
			this.#notePages.run(batchID, step, field?.id ?? '', found, foundBefore, empty, firstEmpty);
		});
	}

	forgetPages(batchID: bigint): Promise<void> {
		return promised(() => void this.#forgetPages.run(batchID));
	}

	emptyOnPages(batchID: bigint): Promise<Gaps[]> {
		const { firstPages, usually } = asARule;
		return promised(() => this.#gaps.all(batchID, firstPages, usually).map(gapsFrom));
	}

	#forEach<Each>(all: Each[], write: (each: Each) => void): Promise<void> {
		return promised(() => transaction(this.#database, () => all.forEach(write)));
	}
}
