import { haveSecrets } from '../pages/secretHeaders.ts';
import { itemsOf } from './splitJobs.ts';
import { allSteps, type Step, type Task } from './task.ts';
import { addressOf } from './values.ts';

/**
 * The sites (origins) whose addresses a task names, in its steps and its lists: they may get its headers `Authorization` and
 * `Cookie`. Of a task without these, none. `site`: what `{site}` stands for.
 */
export function namedSites({ steps, headers }: Task, site: string): ReadonlySet<string> {
	if (!haveSecrets(headers)) return new Set();
	const origins = allSteps(steps)
		.flatMap(addressesIn)
		.map((url) => URL.parse(addressOf(url, site))?.origin);
	return new Set(origins.filter((origin) => origin !== undefined));
}

function addressesIn({ type, config }: Step): string[] {
	if (type === 'navigate') return 'url' in config ? [config.url] : [];
	if (type !== 'loop' || config.loopType !== 'list' || config.listType === 'elements') return [];
	// What is typed into fields is no address that the task opens.
	const isOpened = config.listType === 'urlList' || config.steps.some(opensItem);
	return isOpened ? itemsOf(config) : [];
}

function opensItem({ type, config }: Step): boolean {
	return type === 'navigate' && 'useLoopItem' in config;
}
