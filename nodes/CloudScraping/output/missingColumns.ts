import { NodeOperationError } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import { quoted } from '../api/quoted';
import { redact } from '../api/redact';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { rowKeys } from '../rows/fieldNames';
import type { RowKeys } from '../rows/fieldNames';
import type { Row } from '../rows/parseRow';
import type { RowSettings } from '../settings/rowSettings';
import { betweenColumns } from './meantColumns';

interface Wanted {
	wanted: readonly string[];
	unknown: readonly string[];
	/** How the setting calls a column that rows have under a key. */
	writtenAs?: RowKeys['nameOf'];
}

/** The columns that a setting names, looked for in the batch and in its rows as they come by. */
export class WantedColumns {
	/** Those that neither the batch nor any row has had. */
	readonly unknown: Set<string>;

	readonly setting: string;

	readonly #wanted: readonly string[];

	readonly #nameOf: RowKeys['nameOf'];

	readonly #writtenAs: RowKeys['nameOf'];

	readonly #fields: ReadonlySet<string>;

	/** All columns of the rows, until one of them belongs to the batch or was asked for. */
	readonly #held = new Set<string>();

	#isAnyMet = false;

	/** `unknown` are those of the `wanted` that the batch does not have: keys of items unless told otherwise. */
	constructor(
		setting: string,
		{ columns, nameOf }: RowKeys,
		{ wanted, unknown, writtenAs = nameOf }: Wanted,
	) {
		this.setting = setting;
		this.unknown = new Set(unknown);
		this.#wanted = wanted;
		this.#nameOf = nameOf;
		this.#writtenAs = writtenAs;
		this.#fields = new Set(columns.map(([id]) => id));
	}

	note(row: Row): void {
		if (this.areFound) return;
		for (const key of Object.keys(row)) {
			const isAsked = this.unknown.delete(this.#writtenAs(key));
			this.#held.add(this.#nameOf(key));
			this.#isAnyMet ||= isAsked || this.#fields.has(key);
		}
	}

	/** Whether there is nothing left to look for. */
	get areFound(): boolean {
		return this.unknown.size === 0 && (this.#isAnyMet || this.#wanted.length === 0);
	}

	/**
	 * The error once rows have come; undefined when nothing is missing. Rows leave out what has no value:
	 * a column that the batch names is none that they lack, unless they hold nothing that it names.
	 */
	missing(
		connection: Connection,
		batch: Batch,
		{ fieldKeys }: Pick<RowSettings, 'fieldKeys'>,
	): NodeOperationError | undefined {
		const { setting } = this;
		const held = [...this.#held];
		if (this.unknown.size > 0) {
			const { columns } = rowKeys(batchFields(batch), fieldKeys);
			const there = [...new Set([...columns.map(([, name]) => name), ...held])];
			const asked = [...this.unknown];
			return columnError(connection, `Batch ${batch.batchID} has no column`, {
				asked,
				setting,
				there,
			});
		}
		// Rows without any value lack nothing that they could have.
		if (this.areFound || held.length === 0) return undefined;
		return columnError(connection, `No row of batch ${batch.batchID} has column`, {
			asked: this.#wanted,
			setting,
			there: held,
		});
	}
}

/**
 * Without a column that was asked for, rows would look alike that are not, and what it holds would be
 * missed in silence.
 */
function columnError(
	{ node, apiKey }: Connection,
	problem: string,
	{ asked, setting, there }: { asked: readonly string[]; setting: string; there: string[] },
): NodeOperationError {
	const names = quoted(redact(there.join(', '), apiKey));
	const advice =
		there.length === 0
			? `${setting} must be columns of the batch, but the batch names no columns. Look at its rows without that setting.`
			: `${setting} must be columns of the batch: ${names}. If a column was renamed, enter its new name, or its field ID. If the task has new field IDs since it was edited, enter names.`;
	const onePerField = asked.some((column) => betweenColumns.test(column))
		? ` Enter one column per field of ${setting}.`
		: '';
	const list = (columns: readonly string[]) =>
		quoted(redact(columns.map((column) => `"${column}"`).join(', '), apiKey));
	const meant = there.filter(
		(column) => !asked.includes(column) && asked.some((name) => plain(name) === plain(column)),
	);
	const question = meant.length > 0 ? `. Did you mean ${list(meant)}?` : '';
	return new NodeOperationError(node, `${problem} ${list(asked)}${question}`, {
		description: `${advice}${onePerField}`,
	});
}

/** A name as people remember it. */
function plain(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}
