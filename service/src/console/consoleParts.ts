import type { CloudParts } from '../api/cloudParts.ts';
import type { Settings } from '../settings.ts';
import type { PageKinds } from '../agents/dispatcher.ts';
import type { Readers } from '../pages/http/readers.ts';
import type { BatchLogStore } from '../store/batchLogStore.ts';
import type { FailureStore } from '../store/failureStore.ts';
import type { JobStore } from '../store/jobStore.ts';
import type { Retention } from '../store/retention.ts';
import type { SelectorStore } from '../store/selectorStore.ts';
import type { SessionStore } from '../store/sessionStore.ts';
import type { OneTimeLink } from '../keys/oneTimeLink.ts';

/** What the console works with: the stores of the API, and what people see besides. */
export interface ConsoleParts extends CloudParts {
	failures: FailureStore;
	jobs: JobStore;
	selectors: SelectorStore;
	logs: BatchLogStore;
	/** How pages of each kind are opened here. */
	pages: PageKinds;
	/** Who reads documents. */
	readers: Readers;
	retention: Retention;
	sessions: SessionStore;
	link: OneTimeLink;
	/** Aborted when the service ends. */
	closing: AbortSignal;
	settings: Pick<Settings, 'tasks' | 'browser'>;
}
