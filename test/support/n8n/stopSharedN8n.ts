import { stopShared } from './sharedN8n';

/** After a suite: ends the n8n that its files have shared. */
export default async function stopSharedN8n(): Promise<void> {
	await stopShared();
}
