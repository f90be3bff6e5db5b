import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { ownKeys, rowKeys } from '../rows/fieldNames';
import type { RowSettings } from '../settings/rowSettings';

/** Between columns that somebody has written into one field. */
export const betweenColumns = /[,\r\n]+/;

/**
 * The same settings with the columns that are meant: what is no column of the batch, and whose parts between
 * commas or line breaks all are, stands for these.
 */
export function withMeantColumns(batch: Batch, settings: RowSettings): RowSettings {
	const { fields, fieldKeys, onlyNew } = settings;
	const { idOf } = rowKeys(batchFields(batch), fieldKeys);
	const added = new Set<string>(Object.values(ownKeys));
	const meant = (wanted: string[]) =>
		wanted.flatMap((column) => {
			if (idOf(column) !== undefined) return [column];
			const parts = column.split(betweenColumns).map((part) => part.trim());
			const columns = parts.filter((part) => part !== '');
			const areColumns = columns.every((part) => idOf(part) !== undefined || added.has(part));
			return columns.length > 0 && areColumns ? columns : [column];
		});
	return {
		...settings,
		fields: meant(fields),
		onlyNew: onlyNew && { ...onlyNew, keyFields: meant(onlyNew.keyFields) },
	};
}
