import type { ApiKeyStore, KeptKey } from './apiKeyStore.ts';
import type { Backlog } from './backlog.ts';
import type { BatchLogStore } from './batchLogStore.ts';
import type { BatchStore } from './batchStore.ts';
import type { DeduplicationStore } from './deduplicationStore.ts';
import type { FailureStore } from './failureStore.ts';
import type { JobStore } from './jobStore.ts';
import type { Machines } from './machines.ts';
import type { ProcessStore } from './processStore.ts';
import type { Retention } from './retention.ts';
import type { RowStore } from './rowStore.ts';
import type { SelectorStore } from './selectorStore.ts';
import type { SessionStore } from './sessionStore.ts';
import type { StepPageStore } from './stepPageStore.ts';
import type { TaskStore } from './taskStore.ts';

/** The stores of a database that runs fill. */
export interface Stores {
	batches: BatchStore;
	jobs: JobStore;
	rows: RowStore;
	failures: FailureStore;
	selectors: SelectorStore;
	stepPages: StepPageStore;
	/** Absent: nobody keeps what the log says. */
	logs?: BatchLogStore;
	/** The database that they are of. */
	database: Database;
	/** How the processes that work on it share the work; absent: it is this process' alone. */
	machines?: Machines;
}

/** A database as those know it who do not look into it. */
export interface Database {
	/** Where it is, for messages: a path, or an address without user and password. */
	readonly location: string;
	/** Why nothing is to be scraped from here on: it would be lost, or takes the last room there is. For people; undefined: it may be. */
	whyLost(): string | undefined;
	/** What to see to when it cannot be written, for people, without a stop at the end. */
	readonly care: string;
	/** Has `heard` called at once with each batch that another process has ended, and, maybe, with those of this one. */
	onEnd(heard: (batchID: bigint) => void): void;
	/** The same where it is not known which ones have: the database was away. */
	onBack(heard: () => void): void;
	/**
	 * Waits where an error says no more than that it is not there now, until it is back: resolves to true. To false
	 * where the error says something else. Rejects with the reason of `signal` when that is aborted before.
	 */
	isBack(error: unknown, signal: AbortSignal): Promise<boolean>;
}

/** All that a service keeps, in one database. */
export interface Store extends Stores {
	/** Undefined: the tasks are files in a folder. */
	tasks?: TaskStore;
	apiKeys: ApiKeyStore;
	sessions: SessionStore;
	logs: BatchLogStore;
	deduplication: DeduplicationStore;
	retention: Retention;
	/** Who works with it. */
	processes: ProcessStore;
	backlog: Backlog;
	/** What is kept of the API key that was made up; undefined: there is none. */
	keptKey(): Promise<KeptKey | undefined>;
	/** Makes one up, unless another service has meanwhile: that one's, then. */
	makeKey(): Promise<KeptKey>;
	/** Why nothing can be stored now, for people; undefined: it can be, as far as is known. */
	whyNotReady(): Promise<string | undefined>;
	/** Makes what room there is, after a write that has failed. */
	makeRoom(): void;
	close(): Promise<void>;
}
