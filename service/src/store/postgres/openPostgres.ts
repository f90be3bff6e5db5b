import type { FastifyBaseLogger } from 'fastify';
import { v4 as newUuid } from 'uuid';
import { BatchLogStore } from '../batchLogStore.ts';
import { DeduplicationStore } from '../deduplicationStore.ts';
import { Retention } from '../retention.ts';
import type { Store } from '../stores.ts';
import { keptKey, makeKey, PostgresApiKeyStore } from './apiKeyStore.ts';
import { PostgresBacklog } from './backlog.ts';
import { PostgresBatchDeletion } from './batchDeletion.ts';
import { PostgresLogLines } from './batchLogStore.ts';
import { PostgresBatchNews } from './batchNews.ts';
import { PostgresBatchStore } from './batchStore.ts';
import { watchClock } from './clockSetBack.ts';
import { Connections, type Query } from './connections.ts';
import { PostgresReturnedRows } from './deduplicationStore.ts';
import { PostgresFailureStore } from './failureStore.ts';
import { PostgresJobStore } from './jobStore.ts';
import { locationOf } from './location.ts';
import { holdVersion, migrate } from './migrate.ts';
import { PostgresProcessStore } from './processStore.ts';
import { PostgresRowStore } from './rowStore.ts';
import { PostgresSelectorStore } from './selectorStore.ts';
import { PostgresSessionStore } from './sessionStore.ts';
import { isBack, whyAway } from './outage.ts';
import { PostgresHostNews } from './hostNews.ts';
import { PostgresSlots } from './slots.ts';
import { StandingConnection } from './standingConnection.ts';
import { PostgresStepPageStore } from './stepPageStore.ts';
import { PostgresTaskStore } from './taskStore.ts';
import { PostgresTickets } from './tickets.ts';
import { unusable } from './unusable.ts';

interface PostgresOptions {
	log: FastifyBaseLogger;
	largeIdentifiers?: boolean;
}

/** Opens a database of PostgreSQL, in which the tables are made where they are not. Throws an Error for people. */
export async function openPostgres(
	address: string,
	{ log, largeIdentifiers }: PostgresOptions,
): Promise<Store> {
	const location = locationOf(address);
	const forPeople = (error: unknown): never => {
		throw unusable(location, error);
	};
	await migrate(address).catch(forPeople);
	const check = (query: Query) => holdVersion(query).catch(forPeople);
	const database = new Connections(address, check, log);
	const standing = await StandingConnection.open(address, check, log).catch(forPeople);
	const tickets = await PostgresTickets.open(database, standing, log).catch(
		async (error: unknown) => {
			await standing.close();
			await database.close();
			return forPeople(error);
		},
	);
	const forgetClock = await watchClock(database, log).catch(async (error: unknown) => {
		await tickets.close();
		await standing.close();
		await database.close();
		return forPeople(error);
	});
	const batchNews = await PostgresBatchNews.open(database, standing);
	const name = newUuid();
	const slots = new PostgresSlots(database, standing, name, log);
	const logs = new BatchLogStore(new PostgresLogLines(database), (error) =>
		log.error(error, 'log of batches lost'),
	);
	const deduplication = new DeduplicationStore(new PostgresReturnedRows(database));
	return {
		batches: new PostgresBatchStore(database, tickets, { largeIdentifiers }),
		jobs: new PostgresJobStore(database),
		rows: new PostgresRowStore(database),
		failures: new PostgresFailureStore(database),
		selectors: new PostgresSelectorStore(database),
		stepPages: new PostgresStepPageStore(database),
		database: {
			location,
			care: 'See to PostgreSQL',
			whyLost: () => undefined,
			onEnd: (heard) => batchNews.onEnd(heard),
			onBack: (heard) => standing.onBack(heard),
			isBack: (error, signal) => isBack(database, error, signal),
		},
		tasks: await PostgresTaskStore.open(database, standing),
		machines: {
			tickets,
			slots,
			hosts: new PostgresHostNews(database, standing, name),
			stops: batchNews,
		},
		apiKeys: new PostgresApiKeyStore(database),
		sessions: new PostgresSessionStore(database),
		logs,
		deduplication,
		retention: new Retention(new PostgresBatchDeletion(database)),
		processes: new PostgresProcessStore(database),
		backlog: new PostgresBacklog(database),
		keptKey: () => keptKey(database),
		makeKey: () => makeKey(database),
		whyNotReady: () => whyAway(database.query, location, database),
		makeRoom: () => undefined,
		async close() {
			forgetClock();
			await Promise.all([deduplication.close(), logs.flush(), tickets.close()]);
			// They are given back by themselves where that is not heard.
			await slots.close().catch(() => undefined);
			await database.close();
			await standing.close();
		},
	};
}
