import type { FastifyBaseLogger } from 'fastify';
import { BatchLogStore } from '../batchLogStore.ts';
import { DeduplicationStore } from '../deduplicationStore.ts';
import { Retention } from '../retention.ts';
import type { Store } from '../stores.ts';
import { SqliteApiKeyStore } from './apiKeyStore.ts';
import { SqliteBacklog } from './backlog.ts';
import { SqliteBatchDeletion } from './batchDeletion.ts';
import { SqliteLogLines } from './batchLogStore.ts';
import { SqliteBatchStore } from './batchStore.ts';
import { freeBytes, openDatabase } from './database.ts';
import { DatabaseFile, watchDatabase } from './databaseFile.ts';
import { SqliteReturnedRows } from './deduplicationStore.ts';
import { SqliteFailureStore } from './failureStore.ts';
import { SqliteJobStore } from './jobStore.ts';
import { keptApiKey, makeApiKey } from './keptApiKey.ts';
import { SqliteProcessStore } from './processStore.ts';
import { promised } from './promised.ts';
import { Reserve } from './reserve.ts';
import { SqliteRowStore } from './rowStore.ts';
import { SqliteSelectorStore } from './selectorStore.ts';
import { SqliteSessionStore } from './sessionStore.ts';
import { SqliteStepPageStore } from './stepPageStore.ts';

/** What a database is opened with. */
export interface SqliteOptions {
	log: FastifyBaseLogger;
	/** Those of new batches are larger than a number of JavaScript holds exactly. */
	largeIdentifiers?: boolean;
	/** Whether it is opened to end what goes on in a copy of it. */
	isCopied?: boolean;
}

/** Opens a file of SQLite, or one that is made; ":memory:": none. Throws an Error for people. */
export function openSqlite(
	path: string,
	{ log, largeIdentifiers, isCopied = false }: SqliteOptions,
): Store {
	const database = openDatabase(path, { isCopied });
	const reserve = path === ':memory:' ? undefined : new Reserve(path, () => freeBytes(database));
	const file = new DatabaseFile(path, reserve);
	const logs = new BatchLogStore(new SqliteLogLines(database), (error) =>
		log.error(error, 'log of batches lost'),
	);
	const deduplication = new DeduplicationStore(new SqliteReturnedRows(database));
	const endWatch = reserve && holdAndWatch(reserve, file, log);
	return {
		batches: new SqliteBatchStore(database, { largeIdentifiers }),
		jobs: new SqliteJobStore(database),
		rows: new SqliteRowStore(database),
		failures: new SqliteFailureStore(database),
		selectors: new SqliteSelectorStore(database),
		stepPages: new SqliteStepPageStore(database),
		database: file,
		apiKeys: new SqliteApiKeyStore(database),
		sessions: new SqliteSessionStore(database),
		logs,
		deduplication,
		retention: new Retention(new SqliteBatchDeletion(database)),
		processes: new SqliteProcessStore(),
		backlog: new SqliteBacklog(database),
		keptKey: () => promised(() => keptApiKey(path)),
		makeKey: () => promised(() => makeApiKey(path)),
		whyNotReady: () => promised(() => file.whyLost() ?? reserve?.whyMissing()),
		makeRoom: () => reserve?.release(),
		async close() {
			endWatch?.();
			await Promise.all([deduplication.close(), logs.flush()]);
			database.close();
		},
	};
}

/** Takes room in reserve, and has somebody look whether the file is still there. What it returns ends that. */
function holdAndWatch(reserve: Reserve, file: DatabaseFile, log: FastifyBaseLogger): () => void {
	if (!reserve.hold()) log.warn({ file: reserve.file }, 'the disk has no room in reserve');
	return watchDatabase(file, log);
}
