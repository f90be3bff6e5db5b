import { PageError } from '../pages/page.ts';
import type { Source } from '../pages/http/reader.ts';
import type { PickerReaders } from './pickerReaders.ts';
import { fieldOf, type Draft, type DraftColumn } from './draft.ts';

/**
 * Looks up on the page of a list what else its columns can hold: a task's file says only what they do
 * hold. A column that is on the page no more has no choice.
 */
export async function findChoices(
	readers: PickerReaders,
	list: Source,
	draft: Draft,
): Promise<void> {
	const { entries, columns } = draft;
	const fields = columns.map(fieldOf);
	const marks = await readers.ask(list, 'marks', { entries, columns: fields, next: undefined });
	await Promise.all(
		columns.map(async (column, index) => {
			const [number] = marks.columns[index] ?? [];
			if (number === undefined) return;
			try {
				const found = await readers.ask(list, 'foundColumn', entries, number);
				column.others = { ...found.selectors, ...ownOf(column) };
			} catch (error) {
				if (!(error instanceof PageError)) throw error;
			}
		}),
	);
}

/** What the file says stays as it is, whatever would be chosen now. */
function ownOf({ selector, taken }: DraftColumn): Partial<DraftColumn['others']> {
	return { [taken]: { selector } };
}
