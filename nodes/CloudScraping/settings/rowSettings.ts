import type { IDataObject } from 'n8n-workflow';

import { invalid, oneOf, textList, textOf, wholeNumber, yesOrNo } from './parameters';
import type { Where } from './parameters';

const DEDUPLICATIONS = ['off', 'read', 'service', 'history'] as const;

const ON_MISSING_ROWS = ['error', 'return'] as const;

const FIELD_KEYS = ['names', 'ids'] as const;

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
	/** What happens when a batch that has ended gives other than the rows that it counts. */
	onMissingRows: (typeof ON_MISSING_ROWS)[number];
}

/** Reads and checks the row options; throws before any request when one is invalid. */
export function rowSettings(where: Where, options: IDataObject, limit: number): RowSettings {
	const deduplication = oneOf(
		where,
		options.deduplication ?? 'off',
		'Deduplication',
		DEDUPLICATIONS,
	);
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
		fieldKeys: oneOf(where, options.fieldKeys ?? 'names', 'Column Keys', FIELD_KEYS),
		fields: listOption(where, options, 'fields', 'Columns to Return'),
		preview: yesOrNo(where, options.preview ?? false, 'Preview'),
		deduplication,
		deduplicationId,
		keyFields: listOption(where, options, 'keyFields', 'Key Columns'),
		includeBatch: yesOrNo(where, options.includeBatch ?? false, 'Include Batch'),
		pageSize: wholeNumber(where, options.pageSize ?? 500, 'Rows per Request'),
		concurrency: wholeNumber(where, options.concurrency ?? 5, 'Max Concurrent Requests', 20),
		onMissingRows: oneOf(
			where,
			options.onMissingRows ?? 'error',
			'On Missing Rows',
			ON_MISSING_ROWS,
		),
	};
}

/** The list of an option; empty when the option is not set, but not when its expression yields nothing. */
function listOption(where: Where, options: IDataObject, name: string, label: string): string[] {
	return textList(where, Object.hasOwn(options, name) ? options[name] : [], label);
}
