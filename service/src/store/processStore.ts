/** What a process of the service says of itself. */
export interface ProcessReport {
	/** Made up at its start: a name may have been that of an earlier one. */
	id: string;
	/** For people: its host and its process ID. */
	name: string;
	/** Whether it answers requests, or has agents alone. */
	kind: ProcessKind;
	version: string;
	/** Whose batches its agents work on. */
	regions: readonly string[];
	/** Those of the regions whose pages come through a proxy here, with a mark of that: see `proxyMarks`. */
	proxied: readonly string[];
	agents: number;
	busyAgents: number;
	/** Bytes of the machine's memory, without its browser. */
	memory: number;
	/** Milliseconds since its start. */
	upTime: number;
}

export type ProcessKind = 'api' | 'agents';

/** A process that has reported itself. Times are milliseconds since 1970. */
export interface KnownProcess extends Omit<ProcessReport, 'upTime'> {
	startTime: number;
	lastReport: number;
	/** Whether it should have reported again by now. */
	isSilent: boolean;
}

/** Milliseconds between two reports, and after which a process is silent, and forgotten. */
export const reportInterval = 10_000;
export const silentAfter = 30_000;
export const forgottenAfter = 24 * 60 * 60 * 1000;

/** The processes that work with a database. */
export interface ProcessStore {
	/** Takes note of a report. An earlier process of the same name that is silent is forgotten. */
	report(report: ProcessReport): Promise<void>;
	/** Those that are at work, and those that are not forgotten, by name. */
	list(): Promise<KnownProcess[]>;
	/** Forgets one that has ended. */
	leave(id: string): Promise<void>;
}
