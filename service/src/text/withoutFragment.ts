/** An address without what stands behind its `#`, which is no part of what a site is asked for. */
export function withoutFragment(address: string): string {
	return address.replace(/#.*/s, '');
}

/** Whether two addresses are one: a link that leads nowhere (`#`) leaves that behind. */
export function isSameAddress(one: string, other: string): boolean {
	return one.replace(/#$/, '') === other.replace(/#$/, '');
}
