import { silentAfter } from '../processStore.ts';
import type { KnownProcess, ProcessReport, ProcessStore } from '../processStore.ts';

/** A file is that of one process, of which nothing has to be kept when it ends. */
export class SqliteProcessStore implements ProcessStore {
	#known: Omit<KnownProcess, 'isSilent'> | undefined;

	report({ upTime, ...report }: ProcessReport): Promise<void> {
		const now = Date.now();
		const startTime = this.#known?.startTime ?? now - upTime;
		this.#known = { ...report, startTime, lastReport: now };
		return Promise.resolve();
	}

	list(): Promise<KnownProcess[]> {
		const known = this.#known;
		const isSilent = known !== undefined && Date.now() - known.lastReport > silentAfter;
		return Promise.resolve(known ? [{ ...known, isSilent }] : []);
	}

	leave(): Promise<void> {
		this.#known = undefined;
		return Promise.resolve();
	}
}
