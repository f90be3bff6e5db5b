import type { INodeProperties } from 'n8n-workflow';

import type { Batch } from '../api/wire';
import { numberIn, textOf } from './fieldValues';
import type { Entered } from './fieldValues';

/** What a batch may cost: when the service counts so much of it, the batch is stopped. */
export interface Budget {
	/** The name of its option, as the user reads it. */
	name: string;
	/** The count of a batch that it bounds (section 2.3). */
	count: 'lineCount' | 'captchaCount' | 'ipProxyUsage';
	/** What is counted, in the plural. */
	counted: string;
	limit: number;
}

const kinds: Array<Omit<Budget, 'name' | 'limit'> & { option: INodeProperties }> = [
	{
		count: 'lineCount',
		counted: 'rows',
		option: {
			displayName: 'Stop at Rows',
			name: 'stopAtRows',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10000,
			description:
				'Stop the batch once it has this many rows, and return them. Checked at each poll, so there may be a few more.',
		},
	},
	{
		count: 'captchaCount',
		counted: 'captcha credits',
		option: {
			displayName: 'Stop at Captcha Credits',
			name: 'stopAtCaptchas',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description:
				'Stop the batch once it has used this many captcha credits, and return the rows so far',
		},
	},
	{
		count: 'ipProxyUsage',
		counted: 'proxy credits',
		option: {
			displayName: 'Stop at Proxy Credits',
			name: 'stopAtProxyUsage',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description:
				'Stop the batch once it has used this many proxy credits, and return the rows so far',
		},
	},
];

/** Options that bound what a batch may cost. */
export const budgetOptions = kinds.map(({ option }) => option);

/** The budgets that the user has added to the options; none is meant without. */
export function budgetsIn(options: Entered): Budget[] {
	return kinds.flatMap(({ option, ...kind }) => {
		if (!options.has(option)) return [];
		return [{ ...kind, name: option.displayName, limit: numberIn(options, option) }];
	});
}

/** The first budget that a batch has used up, if there is one. */
export function usedUp(batch: Batch, budgets: Budget[]): Budget | undefined {
	return budgets.find(({ count, limit }) => Number(batch[count]) >= limit);
}

/** The first budget that cannot be watched, because the service does not say its count. */
export function unwatched(batch: Batch, budgets: Budget[]): Budget | undefined {
	return budgets.find(({ count }) => !/^\d+(\.\d+)?$/.test(textOf(batch[count])));
}
