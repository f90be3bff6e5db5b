import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { numberIn, textIn, type Columns } from './columns.ts';

/**
 * A field that was there on each of so many pages at first, or on so many pages for one that lacks it, is there
 * as a rule. What fewer pages have, such as a reduced price, is a matter of the entry: to name it with each
 * batch would teach people not to look. A site that stops giving data is seen by the first: it gave it before.
 */
const firstPages = 3;
const usually = 3;

/** A selector of a loop over elements, or of an Extract Data step: that of its rows, or of a field in them. */
export interface StepSelector {
	step: string;
	/** Empty where a step or field has none. */
	selector: string;
	/** Absent: the selector is that of the rows, or of the elements of a loop. */
	field?: { id: string; name: string };
}

/** A selector that has found something on some pages of a batch, and nothing on others. */
export interface Gaps extends StepSelector {
	pages: number;
	emptyPages: number;
	/** The address of the first of these. */
	firstEmpty: string;
}

/** Which selectors of a batch were used, and which of them have found anything. */
export class SelectorStore {
	readonly #note: StatementSync;
	readonly #empty: StatementSync;
	readonly #notePages: StatementSync;
	readonly #gaps: StatementSync;

	constructor(database: DatabaseSync) {
		this.#note = database.prepare(
			`INSERT INTO selectors (batch_id, step_id, field_id, selector, field, found) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET found = max(found, excluded.found)`,
		);
		this.#empty = database.prepare(
			'SELECT step_id, field_id, selector, field FROM selectors WHERE batch_id = ? AND found = 0',
		);
		this.#notePages = database.prepare(
			`UPDATE selectors SET
				found_before = CASE WHEN empty_pages = 0 THEN found_before + ?4 ELSE found_before END,
				first_empty = CASE WHEN empty_pages = 0 THEN ?6 ELSE first_empty END,
				found_pages = found_pages + ?4, empty_pages = empty_pages + ?5
			WHERE batch_id = ?1 AND step_id = ?2 AND field_id = ?3`,
		);
		this.#gaps = database.prepare(
			`SELECT step_id, field_id, selector, field, found_pages, empty_pages, first_empty FROM selectors
			WHERE batch_id = ?1 AND found_pages > 0 AND empty_pages > 0
			AND (field_id = '' OR found_before >= ?2 OR found_pages >= empty_pages * ?3)`,
		);
	}

	/** A selector was used; `found`: it matched something, or its field was not empty. */
	note(batchID: bigint, { step, selector, field }: StepSelector, found: boolean): void {
		this.#note.run(batchID, step, field?.id ?? '', selector, field?.name ?? '', Number(found));
	}

	/** The selectors of a batch that were used and never found anything. */
	emptyOf(batchID: bigint): StepSelector[] {
		return this.#empty.all(batchID).map(selectorIn);
	}

	/**
	 * A selector was used on so many more pages on which it has found something, and then, `empty`, on one
	 * of this address on which it has found nothing.
	 */
	notePages(
		batchID: bigint,
		{ step, field }: StepSelector,
		{ found, empty }: { found: number; empty: string | undefined },
	): void {
		const isEmpty = Number(empty !== undefined);
		this.#notePages.run(batchID, step, field?.id ?? '', found, isEmpty, empty ?? '');
	}

	/**
	 * The selectors that have found nothing on some pages and should have: those of rows and loops, and
	 * fields that are there as a rule, in the pages that have rows.
	 */
	emptyOnPages(batchID: bigint): Gaps[] {
		return this.#gaps.all(batchID, firstPages, usually).map((columns) => {
			const emptyPages = numberIn(columns, 'empty_pages');
			return {
				...selectorIn(columns),
				pages: numberIn(columns, 'found_pages') + emptyPages,
				emptyPages,
				firstEmpty: textIn(columns, 'first_empty'),
			};
		});
	}
}

function selectorIn(columns: Columns): StepSelector {
	const id = textIn(columns, 'field_id');
	return {
		step: textIn(columns, 'step_id'),
		selector: textIn(columns, 'selector'),
		...(id !== '' && { field: { id, name: textIn(columns, 'field') } }),
	};
}
