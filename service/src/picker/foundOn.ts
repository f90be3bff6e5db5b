import type { Source } from '../pages/http/reader.ts';
import { fieldOf } from './draft.ts';
import type { PickerReaders } from './pickerReaders.ts';
import type { FoundOnNext, PickerState } from './state.ts';

/** What another page has of a draft; undefined: there are neither entries nor columns. */
export async function foundOn(
	page: Source,
	{ draft: { entries, columns }, list }: Pick<PickerState, 'draft' | 'list'>,
	readers: PickerReaders,
): Promise<FoundOnNext | undefined> {
	if (entries === undefined && columns.length === 0) return undefined;
	const fields = columns.map(fieldOf);
	const marks = await readers.ask(page, 'marks', { entries, columns: fields, next: undefined });
	if (entries === undefined) {
		return { count: marks.columns.filter((found) => found.length > 0).length, areOthers: false };
	}
	const said = await readers.ask(page, 'saidEntries', entries);
	const areOthers = await readers.ask(list, 'standElsewhere', entries, said);
	return { count: marks.entries.length, areOthers };
}
