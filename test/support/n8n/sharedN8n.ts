import { objectAt, textAt } from '../../../playground/json.ts';
import { N8nApi } from '../../../playground/n8nApi.ts';
import { testN8n } from './n8n';
import type { OwnN8n, TestN8n } from './n8n';

/** The processes that run the files of a suite inherit it. */
const variable = 'N8N_OF_TESTS';

const started: OwnN8n[] = [];

/** Tells all files of the suite that is about to begin which n8n is theirs. */
export function share(n8n: OwnN8n): void {
	started.push(n8n);
	const { url, userFolder, temporaryFolder, api } = n8n;
	process.env[variable] = JSON.stringify({
		url,
		userFolder,
		temporaryFolder,
		session: api.session,
	});
}

export async function stopShared(): Promise<void> {
	await started.pop()?.stop();
}

/** Whether the files of this suite share an n8n. */
export const isN8nShared = () => process.env[variable] !== undefined;

/** The n8n that all files of a suite share: what a test stores in it has to be its own. */
export function sharedN8n(): TestN8n {
	const shared = objectAt(JSON.parse(process.env[variable] ?? '{}'));
	const url = textAt(shared, 'url');
	return testN8n({
		url,
		userFolder: textAt(shared, 'userFolder'),
		temporaryFolder: textAt(shared, 'temporaryFolder'),
		api: new N8nApi(url, textAt(shared, 'session')),
	});
}
