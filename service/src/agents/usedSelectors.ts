import type { Row } from '../pages/page.ts';
import type { SelectorStore, StepSelector } from '../store/selectorStore.ts';
import { isElementField } from '../tasks/field.ts';
import type { ExtractDataStep } from '../tasks/task.ts';

/** Takes note of which selectors of a batch find something, each once at most either way. */
export class UsedSelectors {
	readonly #store: SelectorStore;
	readonly #batchID: bigint;
	/** What the store knows already: whether a selector has found something. */
	readonly #noted = new Map<string, boolean>();

	constructor(store: SelectorStore, batchID: bigint) {
		this.#store = store;
		this.#batchID = batchID;
	}

	/** These rows were read by a step. */
	note({ id: step, config }: ExtractDataStep, rows: Row[]): void {
		const found = rows.length > 0;
		this.noteOne({ step, selector: config.selector ?? '' }, found);
		if (!found) return;
		for (const { id, name, selector = '', default: otherwise } of config.fields.filter(
			isElementField,
		)) {
			// Whoever has said what stands there without a value expects that.
			if (otherwise !== undefined) continue;
			this.noteOne(
				{ step, selector, field: { id, name } },
				rows.some((row) => row[id] !== ''),
			);
		}
	}

	/** This selector was used. */
	noteOne(selector: StepSelector, found: boolean): void {
		const key = `${selector.step} ${selector.field?.id ?? ''}`;
		const noted = this.#noted.get(key);
		if (noted === true || noted === found) return;
		this.#store.note(this.#batchID, selector, found);
		this.#noted.set(key, found);
	}
}
