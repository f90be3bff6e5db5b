import { isForLater, type Step, type Task, type TextLoop, type UrlLoop } from './task.ts';

/** The part of a batch's list that one job works on: items `first` (included) to `end` (excluded). */
export interface JobPart {
	first: number;
	end: number;
}

/** More jobs would only make each read of their batch slower: no service has so many agents. */
const maxJobs = 1_000;

/**
 * Splits a batch into contiguous parts whose lengths differ by one at most: `jobCount` of them, but
 * never more than the list is long, nor than 1,000. A task that cannot be split (section 1, "Job") is one part.
 */
export function splitJobs(task: Task, jobCount: number): JobPart[] {
	const loop = splittableLoop(task);
	if (!loop) return [{ first: 0, end: 0 }];
	const length = itemsOf(loop.config).length;
	const parts = Math.min(jobCount, length, maxJobs);
	return Array.from({ length: parts }, (_, part) => ({
		first: Math.floor((part * length) / parts),
		end: Math.floor(((part + 1) * length) / parts),
	}));
}

/** An outermost loop over URLs or texts. */
export type SplittableLoop = Step & { type: 'loop'; config: UrlLoop | TextLoop };

/**
 * The loop by which a task's batches are split: an outermost URL or text list, if every row comes out
 * of it. (With a second loop or rows beside it, each job would scrape those rows again.)
 */
export function splittableLoop(task: Task): SplittableLoop | undefined {
	const sources = task.steps.filter(givesRows);
	const [only] = sources;
	return sources.length === 1 && only && isListLoop(only) ? only : undefined;
}

function givesRows(step: Step): boolean {
	return step.type === 'loop' || (step.type === 'extractData' && !isForLater(step));
}

/** The URLs or texts that a loop goes over. */
export function itemsOf(config: UrlLoop | TextLoop): string[] {
	return config.listType === 'urlList' ? config.urls : config.texts;
}

function isListLoop(step: Step): step is SplittableLoop {
	return (
		step.type === 'loop' && step.config.loopType === 'list' && step.config.listType !== 'elements'
	);
}
