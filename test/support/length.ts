/** Whether this is one of the long suites, or the part of it that is done each time. */
export const isFullLength = process.env.TEST_LENGTH === 'full';

/** How often something is done, or how much there is of it. */
export const length = ({ full, short }: { full: number; short: number }): number =>
	isFullLength ? full : short;

/** For what is tested at full length alone, since something else would see a gross mistake of its kind. */
export const testAtLength = isFullLength ? test : () => undefined;
export const describeAtLength = isFullLength ? describe : () => undefined;

const everyOf = 8;

/**
 * Cases that repeat for breadth: all of them, or every eighth, from the `first` one on. Where a list of
 * them stands for each of several things, another `first` for each takes other ones.
 */
export const sample = <Case>(cases: readonly Case[], first = 0): Case[] =>
	isFullLength
		? [...cases]
		: cases.filter((_, index) => index % everyOf === first % Math.min(everyOf, cases.length));
