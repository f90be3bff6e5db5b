import type { Page, Row } from '../pages/page.ts';
import { isElementField } from '../tasks/field.ts';
import { fieldsOf, type ExtractDataStep } from '../tasks/task.ts';
import type { Assignment } from './assignment.ts';
import { valuesOf, withDefaults } from './columns.ts';
import { findsOf, type PageFinds } from './pageFinds.ts';
import { itemText, Positions, type Place } from './place.ts';

/** Reads the rows of Extract Data steps from a page. */
export class RowReader {
	readonly #page: Page;
	readonly #job: Assignment;
	readonly #finds: PageFinds;
	/** The ids of fields that say when a row was read. */
	readonly #times: ReadonlySet<string>;

	/** `finds` takes note of what is found on each page. */
	constructor(page: Page, job: Assignment, finds: PageFinds) {
		this.#page = page;
		this.#job = job;
		this.#finds = finds;
		const fields = fieldsOf(job.task.steps);
		this.#times = new Set(fields.filter(({ source }) => source === 'time').map(({ id }) => id));
	}

	/** The positions of rows that are read at a place. */
	positions(place: Place): Positions {
		return new Positions(place, this.#times);
	}

	/** The rows that a step finds here, with the columns of steps before it, in parts. */
	async *rows(step: ExtractDataStep, place: Place): AsyncGenerator<Row[]> {
		const { item, columns } = place;
		const { selector, fields } = step.config;
		for await (const part of this.#page.read(selector, fields.filter(isElementField))) {
			this.#job.signal.throwIfAborted();
			const around = {
				loopItem: itemText(item),
				pageUrl: this.#page.address(),
				time: new Date().toISOString(),
			};
			const values = await valuesOf(fields, part, around, this.#job.matches);
			this.#job.signal.throwIfAborted();
			await this.#finds.note(findsOf(step, values), place);
			yield values.map((row) => ({ ...columns, ...withDefaults(fields, row) }));
		}
	}

	/** The first of these rows; its defaults, if there is none. */
	async firstRow(step: ExtractDataStep, place: Place): Promise<Row> {
		for await (const [row] of this.rows(step, place)) if (row) return row;
		return withDefaults(step.config.fields, {});
	}
}
