import { basename } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../settings/settings.ts';
import type { Batch } from '../store/batch.ts';

/** The address of the page of a batch. */
export function batchPath({ id }: Pick<Batch, 'id'>): string {
	return `/console/batches/${id}`;
}

/** The address of the page of a task. */
export function taskPath(taskID: string): string {
	return `/console/tasks/${encodeURIComponent(taskID)}`;
}

/** What is done with task files, each at an address of its own. */
export type FileAction =
	'edit' | 'check' | 'try' | 'rename' | 'duplicate' | 'delete' | 'bring-back';

/** The address at which something is done with a task file; it is edited, unless another action is named. */
export function filePath(file: string, action: FileAction = 'edit'): string {
	return `/console/files/${action}/${encodeURIComponent(basename(file))}`;
}

/** The base URL of the service for n8n: what is set, else as the one who asks knows it. */
export function baseUrlOf(
	{ host }: FastifyRequest,
	{ address }: Pick<Settings, 'address'>,
): string {
	return address ?? `http://${host}`;
}
