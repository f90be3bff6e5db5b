import type { Connection } from '../connection';
import type { RequestTexts } from '../errors';
import { callApi } from '../request';
import { readBatch } from '../wire';
import type { Batch, StartRequest } from '../wire';
import { unansweredStarts, unansweredStops } from './unanswered';

/**
 * `POST /cloud/start` (section 4.1): starts a task and returns its new batch. Costs money, so it is
 * never sent again once it may have arrived, and never after a cancel.
 */
export async function requestStart(
	connection: Connection,
	body: StartRequest,
	meant: RequestTexts['meant'],
): Promise<Batch> {
	return await callApi(connection, {
		method: 'POST',
		path: '/cloud/start',
		body,
		repeatable: 'unlessAccepted',
		ignoresCancel: true,
		read: readBatch,
		doubt: 'The task may have been started anyway. Check List Batches before you start it again.',
		certainty: 'The task was not started.',
		meant,
		// Between two tries no start is out, and stops go before the next one.
		schedule: async (sendTry) => {
			await unansweredStops.wait(connection, body.taskID);
			return await unansweredStarts.note(connection, body.taskID, sendTry());
		},
	});
}

/**
 * `POST /cloud/stop` (section 4.2): stops the running batch of a task and returns it; nothing where the
 * service has accepted the stop and does not say which batch that is. `mayGoOn` says before a later try
 * whether it is still right to send it.
 */
export async function requestStop(
	connection: Connection,
	taskID: string,
	mayGoOn?: () => boolean,
): Promise<Batch | undefined> {
	const sent = callApi(connection, {
		method: 'POST',
		path: '/cloud/stop',
		body: { taskID },
		mayGoOn,
		repeatable: 'unlessAccepted',
		read: (data) => ({ stopped: readBatch(data) }),
		doubt: 'The task may have been stopped anyway. Check List Batches.',
		certainty: 'The task was not stopped.',
	});
	const { stopped } = await unansweredStops.note(connection, taskID, sent);
	return stopped;
}
