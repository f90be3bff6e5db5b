import { basename } from 'node:path';
import type { Batch } from '../store/batch.ts';

/** The address of the page of a batch. */
export function batchPath({ id }: Pick<Batch, 'id'>): string {
	return `/console/batches/${id}`;
}

/** The address of the page of a task. */
export function taskPath(taskID: string): string {
	return `/console/tasks/${encodeURIComponent(taskID)}`;
}

/** The address at which a task file is edited, checked or tried. */
export function filePath(file: string, action: 'edit' | 'check' | 'try' = 'edit'): string {
	return `/console/files/${action}/${encodeURIComponent(basename(file))}`;
}
