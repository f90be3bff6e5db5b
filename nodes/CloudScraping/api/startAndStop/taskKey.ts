import { endpointUrl } from '../connection';
import type { Connection } from '../connection';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Stands for a task of a service, however both are spelled: a UUID is the same one in capitals. */
export function taskKey({ baseUrl }: Pick<Connection, 'baseUrl'>, taskID: string): string {
	return `${endpointUrl(baseUrl, '')} ${uuid.test(taskID) ? taskID.toLowerCase() : taskID}`;
}
