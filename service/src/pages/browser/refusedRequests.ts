import type { Request } from 'playwright-core';

const refused = new WeakSet<Request>();

/** Its site has refused it. A form may have been counted before its page was not to be had. */
export function refuse(request: Request): void {
	if (!request.isNavigationRequest()) refused.add(request);
}

/** Whether nobody has counted what it has sent. */
export function wasRefused(request: Request): boolean {
	return refused.has(request);
}
