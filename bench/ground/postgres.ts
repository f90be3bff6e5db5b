import pg from 'pg';
import {
	startPostgres as start,
	type Postgres,
} from '../../test/support/postgres/startPostgres.ts';
import { familyMilliseconds } from '../measure/processUse.ts';

/** A PostgreSQL that is measured. */
export interface MeasuredPostgres extends Postgres {
	/** Milliseconds for which it has kept processors busy. */
	processorMilliseconds(): number;
	/** The rows that a statement finds in one of its databases. */
	ask(address: string, sql: string): Promise<Record<string, unknown>[]>;
}

/** Starts one with the settings that it comes with, so that what is stored stands on the disk; `settings`: others. */
export async function startPostgres(
	settings: Record<string, string> = {},
): Promise<MeasuredPostgres> {
	const preload = { shared_preload_libraries: 'pg_stat_statements' };
	const postgres = await start({ max_connections: '1000', ...preload, ...settings });
	return {
		...postgres,
		processorMilliseconds: () => familyMilliseconds(postgres.pid()),
		async ask(address, sql) {
			const client = new pg.Client(address);
			await client.connect();
			try {
				return (await client.query<Record<string, unknown>>(sql)).rows;
			} finally {
				await client.end();
			}
		},
	};
}
