import type { Backlog, WaitingBatch } from '../store/backlog.ts';
import type { KnownProcess } from '../store/processStore.ts';

/** Batches of them that are shown at once. */
const maxShown = 20;

/** The batches that wait for a region in which no agent is at work: some of them, the oldest first, and how many. */
export function unservedBatches(
	backlog: Backlog,
	processes: KnownProcess[],
): Promise<{ batches: WaitingBatch[]; count: number }> {
	const atWork = processes.filter(({ isSilent, agents }) => !isSilent && agents > 0);
	const served = new Set(atWork.flatMap(({ regions }) => regions));
	return backlog.waitingElsewhere([...served], maxShown);
}
