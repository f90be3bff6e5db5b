import { startPostgres as startOne } from '../../support/postgres/startPostgres';

export interface Postgres {
	/** n8n's settings for it. */
	env: NodeJS.ProcessEnv;
	/** Ends it and removes its data. */
	stop(): Promise<void>;
}

/** Starts a PostgreSQL for n8n. */
export async function startPostgres(): Promise<Postgres> {
	const { host, port, user, stop } = await startOne();
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: host,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: user,
		},
		stop,
	};
}
