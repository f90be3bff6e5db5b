/** An address without what stands behind its `#`, which is no part of what a site is asked for. */
export function withoutFragment(address: string): string {
	return address.replace(/#.*/s, '');
}
