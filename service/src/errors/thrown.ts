/** What an error says, whatever was thrown. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Whether an error of the file system says that something is not there. */
export function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
