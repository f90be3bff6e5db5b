import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { textIn } from './columns.ts';

/** A selector of a loop over elements, or of an Extract Data step: that of its rows, or of a field in them. */
export interface StepSelector {
	step: string;
	/** Empty where a step or field has none. */
	selector: string;
	/** Absent: the selector is that of the rows, or of the elements of a loop. */
	field?: { id: string; name: string };
}

/** Which selectors of a batch were used, and which of them have found anything. */
export class SelectorStore {
	readonly #note: StatementSync;
	readonly #empty: StatementSync;

	constructor(database: DatabaseSync) {
		this.#note = database.prepare(
			`INSERT INTO selectors (batch_id, step_id, field_id, selector, field, found) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET found = max(found, excluded.found)`,
		);
		this.#empty = database.prepare(
			'SELECT step_id, field_id, selector, field FROM selectors WHERE batch_id = ? AND found = 0',
		);
	}

	/** A selector was used; `found`: it matched something, or its field was not empty. */
	note(batchID: bigint, { step, selector, field }: StepSelector, found: boolean): void {
		this.#note.run(batchID, step, field?.id ?? '', selector, field?.name ?? '', Number(found));
	}

	/** The selectors of a batch that were used and never found anything. */
	emptyOf(batchID: bigint): StepSelector[] {
		return this.#empty.all(batchID).map((columns) => {
			const id = textIn(columns, 'field_id');
			return {
				step: textIn(columns, 'step_id'),
				selector: textIn(columns, 'selector'),
				...(id !== '' && { field: { id, name: textIn(columns, 'field') } }),
			};
		});
	}
}
