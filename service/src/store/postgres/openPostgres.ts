import type { FastifyBaseLogger } from 'fastify';
import { BatchLogStore } from '../batchLogStore.ts';
import { DeduplicationStore } from '../deduplicationStore.ts';
import { Retention } from '../retention.ts';
import type { Store } from '../stores.ts';
import { keptKey, makeKey, PostgresApiKeyStore } from './apiKeyStore.ts';
import { PostgresBatchDeletion } from './batchDeletion.ts';
import { PostgresLogLines } from './batchLogStore.ts';
import { PostgresBatchStore } from './batchStore.ts';
import { Connections } from './connections.ts';
import { PostgresReturnedRows } from './deduplicationStore.ts';
import { PostgresFailureStore } from './failureStore.ts';
import { PostgresJobStore } from './jobStore.ts';
import { locationOf } from './location.ts';
import { holdVersion, migrate } from './migrate.ts';
import { PostgresRowStore } from './rowStore.ts';
import { PostgresSelectorStore } from './selectorStore.ts';
import { PostgresSessionStore } from './sessionStore.ts';
import { isBack, whyAway } from './outage.ts';
import { StandingConnection } from './standingConnection.ts';
import { PostgresTaskStore } from './taskStore.ts';
import { unusable } from './unusable.ts';

interface PostgresOptions {
	log: FastifyBaseLogger;
	largeIdentifiers?: boolean;
	/** Others may have it open as well. */
	isShared?: boolean;
}

/** Opens a database of PostgreSQL, in which the tables are made where they are not. Throws an Error for people. */
export async function openPostgres(
	address: string,
	{ log, largeIdentifiers, isShared = false }: PostgresOptions,
): Promise<Store> {
	const location = locationOf(address);
	const forPeople = (error: unknown): never => {
		throw unusable(location, error);
	};
	const standing = await StandingConnection.open(address, { isShared, log }).catch(forPeople);
	await migrate(address).catch(async (error: unknown) => {
		await standing.close();
		return forPeople(error);
	});
	const database = new Connections(address, (query) => holdVersion(query).catch(forPeople), log);
	const logs = new BatchLogStore(new PostgresLogLines(database), (error) =>
		log.error(error, 'log of batches lost'),
	);
	const deduplication = new DeduplicationStore(new PostgresReturnedRows(database));
	return {
		batches: new PostgresBatchStore(database, { largeIdentifiers }),
		jobs: new PostgresJobStore(database),
		rows: new PostgresRowStore(database),
		failures: new PostgresFailureStore(database),
		selectors: new PostgresSelectorStore(database),
		database: {
			location,
			care: 'See to PostgreSQL',
			whyLost: () => undefined,
			onEnd: (heard) => standing.onEnd(heard),
			isBack: (error, signal) => isBack(database.query, error, signal),
		},
		tasks: new PostgresTaskStore(database, standing),
		apiKeys: new PostgresApiKeyStore(database),
		sessions: new PostgresSessionStore(database),
		logs,
		deduplication,
		retention: new Retention(new PostgresBatchDeletion(database)),
		keptKey: () => keptKey(database),
		makeKey: () => makeKey(database),
		whyNotReady: () => whyAway(database.query, location),
		makeRoom: () => undefined,
		async close() {
			await Promise.all([deduplication.close(), logs.flush()]);
			await database.close();
			await standing.close();
		},
	};
}
