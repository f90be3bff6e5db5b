import type { Backlog, WaitingBatch } from '../store/backlog.ts';
import type { KnownProcess } from '../store/processStore.ts';

/** Batches of them that are shown at once. */
const maxShown = 20;

/** The processes with agents that have been heard of. */
export function scraping(processes: KnownProcess[]): KnownProcess[] {
	return processes.filter(({ isSilent, agents }) => !isSilent && agents > 0);
}

/** The regions in which agents are at work. */
export function servedRegions(processes: KnownProcess[]): Set<string> {
	return new Set(scraping(processes).flatMap(({ regions }) => regions));
}

/**
 * The batches that have not ended and are for a region in which no agent is at work: some of them, the oldest first,
 * and how many.
 */
export function unservedBatches(
	backlog: Backlog,
	processes: KnownProcess[],
): Promise<{ batches: WaitingBatch[]; count: number }> {
	return backlog.waitingElsewhere([...servedRegions(processes)], maxShown);
}
