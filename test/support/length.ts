/** Whether this is one of the long suites, or the part of it that is done each time. */
export const isFullLength = process.env.TEST_LENGTH === 'full';

/** How often something is done, or how much there is of it. */
export const length = ({ full, short }: { full: number; short: number }): number =>
	isFullLength ? full : short;
