import type { Dispatcher } from '../agents/dispatcher.ts';
import type { Store } from '../store/stores.ts';
import type { Faults } from './faults.ts';

/** What tests of other programs do with a service. */
export interface TestControl extends Pick<
	Store,
	'batches' | 'rows' | 'retention' | 'deduplication' | 'logs' | 'makeRoom'
> {
	dispatcher: Dispatcher;
	faults: Faults;
	/** Aborted when the service ends. */
	closing: AbortSignal;
}

/**
 * Stops what runs, and forgets all batches, their rows, what was returned with a deduplicationID, and faults. Where
 * that cannot be written, as on a full disk, what is in reserve is given up for it.
 */
export async function resetAll(control: TestControl): Promise<void> {
	try {
		await forgetAll(control);
	} catch {
		control.makeRoom();
		await forgetAll(control);
	}
}

async function forgetAll(control: TestControl): Promise<void> {
	const { batches, dispatcher, retention, deduplication, logs, faults, closing } = control;
	faults.forget();
	for (const { id } of await batches.unfinished()) await dispatcher.stop(id);
	// What waits would be stored for batches that are gone.
	await logs.flush();
	await retention.deleteAll();
	await deduplication.forgetAll();
	await retention.deleteLeftOver(closing);
}
