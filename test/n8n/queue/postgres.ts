import { startPostgres as startOne } from '../../support/postgres/startPostgres';

export interface Postgres {
	/** n8n's settings for it. */
	env: NodeJS.ProcessEnv;
	/** Ends it and removes its data. */
	stop(): Promise<void>;
}

/** Starts a PostgreSQL for n8n. */
export async function startPostgres(): Promise<Postgres> {
	const postgres = await startOne();
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: postgres.host,
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: postgres.user,
		},
		stop: () => postgres.stop(),
	};
}
