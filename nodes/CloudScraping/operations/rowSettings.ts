import type { IDataObject } from 'n8n-workflow';

import { invalid, textList, textOf, wholeNumber } from './parameters';
import type { Where } from './parameters';

const DEDUPLICATIONS = ['off', 'read', 'service', 'history'] as const;

type Deduplication = (typeof DEDUPLICATIONS)[number];

/** How rows are read and shown: what all operations with rows share. */
export interface RowSettings {
	/** Rows to return, after deduplication; `Infinity` for all. */
	limit: number;
	fieldKeys: 'names' | 'ids';
	fields: string[];
	preview: boolean;
	deduplication: Deduplication;
	deduplicationId: string;
	keyFields: string[];
	includeBatch: boolean;
	pageSize: number;
	concurrency: number;
}

/** Reads and checks the row options; throws before any request when one is invalid. */
export function rowSettings(where: Where, options: IDataObject, limit: number): RowSettings {
	const deduplication = deduplicationOption(where, options);
	const deduplicationId = textOf(options.deduplicationId);
	if (deduplication === 'service' && deduplicationId === '') {
		throw invalid(
			where,
			'The deduplication ID is empty',
			'Deduplication by the service needs an ID: add the option "Deduplication ID".',
		);
	}
	return {
		limit,
		fieldKeys: options.fieldKeys === 'ids' ? 'ids' : 'names',
		fields: textList(options.fields),
		preview: options.preview === true,
		deduplication,
		deduplicationId,
		keyFields: textList(options.keyFields),
		includeBatch: options.includeBatch === true,
		pageSize: wholeNumber(where, options.pageSize ?? 500, 'Rows per Request'),
		concurrency: wholeNumber(where, options.concurrency ?? 5, 'Max Concurrent Requests', 20),
	};
}

function deduplicationOption(where: Where, { deduplication = 'off' }: IDataObject): Deduplication {
	const known = DEDUPLICATIONS.find((name) => name === deduplication);
	if (known) return known;
	throw invalid(
		where,
		`Deduplication must be one of ${DEDUPLICATIONS.join(', ')}, not ${JSON.stringify(deduplication)}`,
	);
}
