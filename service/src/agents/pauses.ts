/** How often a page is tried that may be there soon. */
export const tries = 5;

/** Milliseconds after the first failure, at most; twice that after each further one. */
const firstPause = 2_500;

/**
 * Milliseconds to wait after so many failures: 28 seconds over all tries on average, and no less than
 * 18, so that an outage of some seconds costs no page. The other half is left to chance.
 */
export function pauseAfter(failures: number): number {
	return firstPause * 2 ** (failures - 1) * (0.5 + Math.random() / 2);
}
