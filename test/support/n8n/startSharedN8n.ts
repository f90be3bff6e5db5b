import { startTestN8n } from './n8n';
import { share } from './sharedN8n';

/** Before a suite: starts the n8n that its files share. */
export default async function startSharedN8n(): Promise<void> {
	share(await startTestN8n());
}
