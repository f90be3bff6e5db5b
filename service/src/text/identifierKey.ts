/** What must be the same for two identifiers to be one: UUIDs are compared without regard to case. */
export function identifierKey(uuid: string): string {
	return uuid.toLowerCase();
}
