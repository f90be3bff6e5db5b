/** Where a database is, for people and the log: its address without user, password and settings. */
export function locationOf(address: string): string {
	const { protocol, host, pathname } = new URL(address);
	return `${protocol}//${host}${pathname}`;
}
