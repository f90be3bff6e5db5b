import type { Task } from '../tasks/task.ts';

/** How often pages are tried where one of them more or less says nothing of their host. */
const minTries = 3;

/**
 * Whether the next page of a task's list may come while the one before is still at work: all that is done is to open
 * pages by their addresses and to read them, and nobody has asked for pauses between them.
 */
export function mayOpenAhead(task: Task): boolean {
	const { steps, tries, delay = 0, respectRobots = false } = task;
	const [loop, ...others] = steps;
	if (loop?.type !== 'loop' || others.length > 0 || delay > 0 || respectRobots) return false;
	// Where pages are tried twice, a page and the next but one would do for their host to be down.
	if (tries !== undefined && tries < minTries) return false;
	const { config } = loop;
	if (config.loopType !== 'list' || config.listType !== 'urlList') return false;
	const [first, ...rest] = config.steps;
	const opensItem = first?.type === 'navigate' && 'useLoopItem' in first.config;
	return opensItem && rest.every(({ type }) => type === 'wait' || type === 'extractData');
}
