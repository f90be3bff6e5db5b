import { NodeOperationError } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import { redact } from '../api/redact';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { rowKeys } from '../rows/fieldNames';
import type { RowKeys } from '../rows/fieldNames';
import type { Row } from '../rows/parseRow';
import type { RowSettings } from '../settings/rowSettings';

/** The columns that were asked for, looked for in the batch and in its rows as they come by. */
export class WantedColumns {
	/** Those that neither the batch nor any row has had. */
	readonly unknown: Set<string>;

	readonly #wanted: readonly string[];

	readonly #nameOf: RowKeys['nameOf'];

	/** All columns of the rows, until one of them was asked for. */
	readonly #held = new Set<string>();

	#isAnyMet = false;

	/** `wanted` are keys of the items, `unknown` those of them that the batch does not have. */
	constructor(wanted: readonly string[], unknown: readonly string[], { nameOf }: RowKeys) {
		this.unknown = new Set(unknown);
		this.#wanted = wanted;
		this.#nameOf = nameOf;
	}

	note(row: Row): void {
		if (this.areFound) return;
		for (const key of Object.keys(row)) {
			const name = this.#nameOf(key);
			this.unknown.delete(name);
			this.#held.add(name);
			this.#isAnyMet ||= this.#wanted.includes(name);
		}
	}

	/** Whether there is nothing left to look for. */
	get areFound(): boolean {
		return this.unknown.size === 0 && (this.#isAnyMet || this.#wanted.length === 0);
	}

	/** The error once rows have come; undefined when nothing is missing. */
	missing(
		connection: Connection,
		batch: Batch,
		{ fieldKeys }: Pick<RowSettings, 'fieldKeys'>,
	): NodeOperationError | undefined {
		const setting = 'Columns to Return';
		const held = [...this.#held];
		if (this.unknown.size > 0) {
			return missingColumns(connection, batch, {
				asked: [...this.unknown],
				setting,
				fieldKeys,
				held,
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
 * The error for columns that were asked for and that the batch does not have: without them rows would
 * look alike that are not, and what they hold would be missed in silence. `held` are columns of its rows.
 */
export function missingColumns(
	connection: Connection,
	batch: Batch,
	{
		asked,
		setting,
		fieldKeys,
		held = [],
	}: Pick<RowSettings, 'fieldKeys'> & { asked: string[]; setting: string; held?: string[] },
): NodeOperationError {
	const { columns } = rowKeys(batchFields(batch), fieldKeys);
	const there = [...new Set([...columns.map(([, name]) => name), ...held])];
	return columnError(connection, `Batch ${batch.batchID} has no column`, { asked, setting, there });
}

function columnError(
	{ node, apiKey }: Connection,
	problem: string,
	{ asked, setting, there }: { asked: readonly string[]; setting: string; there: string[] },
): NodeOperationError {
	const names = redact(there.join(', '), apiKey);
	const advice =
		there.length === 0
			? `${setting} must be columns of the batch, but the batch names no columns. Look at its rows without that setting.`
			: `${setting} must be columns of the batch: ${names}. If a column was renamed, enter its new name, or its field ID, which stays.`;
	const columns = asked.map((column) => `"${column}"`).join(', ');
	return new NodeOperationError(node, `${problem} ${columns}`, { description: advice });
}
