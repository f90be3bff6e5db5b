import { PageError } from '../pages/page.ts';
import type { Source } from '../pages/http/reader.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { Draft, DraftColumn } from './draft.ts';

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
	const selectors = columns.map(({ selector }) => selector);
	const marks = await readers.ask(list, 'marks', { entries, columns: selectors, next: undefined });
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
function ownOf({ selector, taken, picture = 'src' }: DraftColumn): Partial<DraftColumn['others']> {
	if (taken === 'src') return { src: { selector, attribute: picture } };
	return { [taken]: { selector } };
}
