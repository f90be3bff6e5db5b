import type { ClaimedJob } from './jobStore.ts';

/** The right to have one agent at work on a batch. Whoever else gets it takes it from who had it. */
export interface Ticket {
	readonly batchID: bigint;
	/** What `{site}` stands for; undefined: as at who works on it. */
	readonly site: string | undefined;
	/** Aborted when it was lost, or when nobody can say for too long that it was not. */
	readonly lost: AbortSignal;
	/**
	 * Takes over the job of the batch that was left with this ticket, else the next one that nobody has; undefined
	 * where there is none. Rejects with `PassedOn` where the ticket was lost.
	 */
	claim(): Promise<ClaimedJob | undefined>;
	/** There is nothing more to do with it. */
	end(): Promise<void>;
	/** Puts it back, for whoever is next. */
	putBack(): Promise<void>;
}

/** The tickets of all unfinished batches of a database that several processes work on. */
export interface Tickets {
	/** A ticket that nobody has, of one of these regions, or of a batch that is worked on anywhere. */
	take(kinds: {
		regions: readonly string[];
		pages: readonly string[];
	}): Promise<Ticket | undefined>;
	/** Has `heard` called when there may be one. */
	onNew(heard: () => void): void;
	/** Sees to it that each unfinished batch has some. `site`: what `{site}` stands for in the new ones, from now on. */
	begin(site: string | undefined): Promise<void>;
}

/** How many of the requests that may be under way at once for something are those of this process. */
export interface Slots {
	/**
	 * Asks for slots of a key, of which there are `limit`; `using`: those that it cannot give back now. Resolves to
	 * how many it may use for `slotTime`, unless it asks again before, or to undefined where the database is away. With
	 * `wanted` 0 it gives back all. Rejects where another try is in vain.
	 */
	lease(
		key: string,
		slots: { limit: number; wanted: number; using: number },
	): Promise<number | undefined>;
	/** Tells the others, if that can be. */
	tell(key: string, news: SlotNews): void;
	/** Has `heard` called with what another process tells. */
	onTold(heard: (key: string, news: SlotNews) => void): void;
}

/** What the processes tell each other of the slots of a key: who has told waits for some, or has given some back. */
export type SlotNews = 'wanted' | 'given';

/** Milliseconds for which slots are leased: nobody else has them for as long again. */
export const slotTime = 8_000;

/** Milliseconds for which a host is left alone at most, however often it has failed and whatever it asks for. */
export const maxRest = 60_000;

/** What is known of a host that fails, whoever has asked it. */
export interface HostNews {
	failures: number;
	isSilent: boolean;
	/** Of the addresses that have failed: as many as tell something. */
	addresses: string[];
	/** Milliseconds from now until it may be asked again. */
	rest: number;
}

/** What the processes tell each other about hosts that fail; undefined: it is there again. */
export interface HostsElsewhere {
	tell(key: string, news: HostNews | undefined): Promise<void>;
	/** What was told of a host last, if that was not long ago. */
	known(key: string): Promise<HostNews | undefined>;
	/** Has `heard` called with what another process tells. */
	onTold(heard: (key: string, news: HostNews | undefined) => void): void;
}

/** What the processes tell each other about stops that could not be written. */
export interface StopsElsewhere {
	tell(batchID: bigint): Promise<void>;
	/** Has `heard` called with each that is told, also with those of this process. */
	onTold(heard: (batchID: bigint) => void): void;
}

/** What the processes share that work on the batches of one database. */
export interface Machines {
	tickets: Tickets;
	slots: Slots;
	hosts: HostsElsewhere;
	stops: StopsElsewhere;
}
