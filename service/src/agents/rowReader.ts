import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkTogether, rowsAtOnce, valuesAtOnce, type Page, type Row } from '../pages/page.ts';
import { lengthOf } from '../store/row.ts';
import { sliceLength } from '../store/rowStore.ts';
import { isElementField } from '../tasks/field.ts';
import { fieldsOf, givesRows, type ExtractDataStep } from '../tasks/task.ts';
import { saysAnything } from '../text/saysAnything.ts';
import type { Assignment } from './assignment.ts';
import { valuesOf, withDefaults } from './columns.ts';
import { findsOf, type PageFinds } from './pageFinds.ts';
import { itemText, Positions, type Place } from './place.ts';

/** Reads the rows of Extract Data steps from a page. */
export class RowReader {
	readonly #page: Page;
	readonly #job: Assignment;
	readonly #finds: PageFinds;
	/** The ids of fields that say when a row was read, or on which page: these make it no other row. */
	readonly #ofPage: ReadonlySet<string>;

	/** `finds` takes note of what is found on each page. */
	constructor(page: Page, job: Assignment, finds: PageFinds) {
		this.#page = page;
		this.#job = job;
		this.#finds = finds;
		const ofPage = fieldsOf(job.task.steps).filter(
			({ source }) => source === 'time' || source === 'pageUrl',
		);
		this.#ofPage = new Set(ofPage.map(({ id }) => id));
	}

	/** The positions of rows that are read at a place. */
	positions(place: Place): Positions {
		return new Positions(place, this.#ofPage);
	}

	/** The rows that a step finds here, with the columns of steps before it, in parts. */
	async *rows(step: ExtractDataStep, place: Place): AsyncGenerator<Row[]> {
		const { item, columns } = place;
		const { selector, fields } = step.config;
		let characters = 0;
		const asked = fields.filter(isElementField);
		const mayScroll = selector === undefined || !place.scrolling;
		// Their other values, which the page is not read for, make work as well.
		const most = rowsAtOnce(fields.length + Object.keys(columns ?? {}).length);
		for await (const part of this.#page.read(selector, asked, { mayScroll })) {
			this.#job.signal.throwIfAborted();
			if (selector !== undefined && asked.length > 0 && !place.scrolling)
				this.#finds.noteList(
					{ step: step.id, selector },
					part.map((row) => JSON.stringify(row)),
				);
			const around = {
				loopItem: itemText(item),
				pageUrl: this.#page.address(),
				time: new Date().toISOString(),
			};
			for (const some of inParts(part, most)) {
				const values = await valuesOf(fields, some, around, this.#job.matches);
				this.#job.signal.throwIfAborted();
				const isWhole = fields.every(({ id }) => values.some((row) => saysAnything(row[id] ?? '')));
				const about = { isWhole, givesRows: givesRows(step) };
				await this.#finds.note(
					findsOf(step, values, this.#job.task.page === 'browser'),
					place,
					about,
				);
				const read = values.map((row) => ({ ...columns, ...withDefaults(fields, row) }));
				for (const { slice, length } of slicesOf(read)) {
					characters += length;
					checkTogether(characters);
					yield slice;
					// To store large ones takes long.
					await nextTurn();
				}
			}
		}
	}

	/** The same with their positions: how many were `read`, and the `rows` of these, or of before, that are to be stored now. */
	async *placed(
		step: ExtractDataStep,
		place: Place,
	): AsyncGenerator<{ read: number; rows: Row[]; positions: Positions }> {
		const positions = this.positions(place);
		for await (const rows of this.rows(step, place)) {
			const places = this.#page.places?.() ?? [];
			const document = { id: this.#page.documentID?.(), address: this.#page.address() };
			const now = positions.take(rows, { places, document });
			yield { read: rows.length, rows: now, positions };
		}
	}

	/** The first of these rows; its defaults, if there is none. */
	async firstRow(step: ExtractDataStep, place: Place): Promise<Row> {
		for await (const [row] of this.rows(step, place)) if (row) return row;
		return withDefaults(step.config.fields, {});
	}
}

/** Their parts of so many rows; an empty one, where there are none: that is said, too. */
function inParts<Each>(rows: Each[], most: number): Each[][] {
	const count = Math.max(1, Math.ceil(rows.length / most));
	return Array.from({ length: count }, (_, index) => rows.slice(index * most, (index + 1) * most));
}

/**
 * Rows that are stored at once, with how many characters each: with more than some millions, or more values than are
 * stored at once, only where a single row has.
 */
export function* slicesOf(rows: Row[]): Generator<{ slice: Row[]; length: number }> {
	let now: { slice: Row[]; length: number; values: number } = { slice: [], length: 0, values: 0 };
	for (const row of rows) {
		const [length, values] = [lengthOf(row), Object.keys(row).length];
		const isFull = now.length + length > sliceLength || now.values + values > valuesAtOnce;
		if (now.slice.length > 0 && isFull) {
			yield now;
			now = { slice: [], length: 0, values: 0 };
		}
		now.slice.push(row);
		now.length += length;
		now.values += values;
	}
	// That there are none is said, too.
	yield now;
}
