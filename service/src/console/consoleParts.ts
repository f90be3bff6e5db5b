import type { ApiKeys } from '../keys/apiKeys.ts';
import type { OneTimeLink } from '../keys/oneTimeLink.ts';
import type { Presence } from '../runs/presence.ts';
import type { Runs } from '../runs/runs.ts';
import type { Settings } from '../settings/settings.ts';
import type { PickerReaders } from '../picker/pickerReaders.ts';
import type { Backlog } from '../store/backlog.ts';
import type { BatchLogStore } from '../store/batchLogStore.ts';
import type { Retention } from '../store/retention.ts';
import type { SessionStore } from '../store/sessionStore.ts';
import type { TestControl } from '../testControl/testControl.ts';

/** What the console works with. */
export interface ConsoleParts extends Runs {
	apiKeys: ApiKeys;
	backlog: Backlog;
	logs: BatchLogStore;
	/** This process among the others. */
	presence: Presence;
	/** Who reads documents. */
	readers: PickerReaders;
	retention: Retention;
	sessions: SessionStore;
	link: OneTimeLink;
	/** Aborted when the service ends. */
	closing: AbortSignal;
	settings: Pick<Settings, 'browser' | 'address' | 'allowedHosts'>;
	/** What `{site}` stands for. */
	site(): string;
	/** What tests of other programs do with the service, where that is allowed. */
	control?: TestControl;
}
