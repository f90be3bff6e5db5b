import type { IDataObject } from 'n8n-workflow';

import type { Run } from './operation';
import {
	invalid,
	limitParameter,
	optionsParameter,
	textList,
	textOf,
	wholeNumber,
} from './parameters';

const DEDUPLICATIONS = ['off', 'read', 'service'] as const;

/** How rows are read and shown: the parameters that all operations with rows share. */
export interface RowSettings {
	limit: number;
	fieldKeys: 'names' | 'ids';
	fields: string[];
	preview: boolean;
	deduplication: (typeof DEDUPLICATIONS)[number];
	deduplicationId: string;
	includeBatch: boolean;
	pageSize: number;
	concurrency: number;
}

/** Reads and checks the row settings; throws before any request when one is invalid. */
export function rowSettings(run: Run): RowSettings {
	const options = optionsParameter(run.context, run.itemIndex);
	const deduplication = deduplicationOption(run, options);
	const deduplicationId = textOf(options.deduplicationId);
	if (deduplication === 'service' && deduplicationId === '') {
		throw invalid(
			run,
			'The deduplication ID is empty',
			'Deduplication by the service needs an ID: add the option "Deduplication ID".',
		);
	}
	return {
		limit: limitParameter(run),
		fieldKeys: options.fieldKeys === 'ids' ? 'ids' : 'names',
		fields: textList(options.fields),
		preview: options.preview === true,
		deduplication,
		deduplicationId,
		includeBatch: options.includeBatch === true,
		pageSize: wholeNumber(run, options.pageSize ?? 500, 'Rows per Request'),
		concurrency: wholeNumber(run, options.concurrency ?? 5, 'Max Concurrent Requests', 20),
	};
}

function deduplicationOption(run: Run, { deduplication }: IDataObject) {
	const known = DEDUPLICATIONS.find((name) => name === (deduplication ?? 'off'));
	if (known) return known;
	throw invalid(
		run,
		`Deduplication must be one of ${DEDUPLICATIONS.join(', ')}, not ${JSON.stringify(deduplication)}`,
	);
}
