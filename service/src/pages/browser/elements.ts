import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, Page as Tab } from 'playwright-core';
import { PageError, type Entered } from '../page.ts';
import { scopedSelector } from '../scopedSelector.ts';
import { isTimeout } from './failures.ts';
import { findInPage, type Found, type Wanted } from './findInPage.ts';

/** Milliseconds between two looks for what is not there yet. */
const interval = 100;
/** How often an element is looked for that is always another one when something is done with it. */
const maximumTries = 10;

/** The elements of a tab, which its scripts may still be making: each look waits up to `timeout`. */
export class Elements {
	readonly #tab: Tab;
	readonly #timeout: number;
	readonly #signal: AbortSignal;

	constructor(tab: Tab, timeout: number, signal: AbortSignal) {
		this.#tab = tab;
		this.#timeout = timeout;
		this.#signal = signal;
	}

	/** Looks once for all that is wanted inside of what was entered, once the first of it is there. */
	async find(scope: Entered[], wanted: Partial<Wanted>): Promise<Found> {
		const asked = inside(scope, wanted);
		for (let waited = 0; ; waited += interval) {
			const isLast = waited >= this.#timeout;
			const found = await this.#tab.evaluate(findInPage, asked).catch((error: unknown) => {
				if (isLast || !isNavigation(error)) throw error;
				return undefined;
			});
			if (found && (found.count > 0 || isLast)) {
				if (!found.missing) return found;
				const { selector, index } = found.missing;
				throw new PageError(`There is no element ${index + 1} of ${selector}.`);
			}
			await sleep(interval, undefined, { signal: this.#signal });
		}
	}

	/**
	 * Does something with the first of these elements, or with the one that was entered; again if
	 * scripts put another one in its place meanwhile.
	 */
	async use<Result>(
		scope: Entered[],
		selector: string | undefined,
		work: (element: ElementHandle<Element>) => Promise<Result>,
	): Promise<Result> {
		for (let tries = 1; ; tries += 1) {
			const element = await this.#first(scope, selector);
			try {
				return await work(element);
			} catch (error) {
				if (isTimeout(error)) {
					const name = selector === undefined ? 'The loop item' : `The element ${selector}`;
					throw new PageError(
						`${name} is there, but was not to be used in time: it may be hidden, covered by another one, or disabled.`,
					);
				}
				if (tries === maximumTries || !isDetached(error)) throw error;
			}
		}
	}

	async #first(scope: Entered[], selector?: string): Promise<ElementHandle<Element>> {
		await this.find(scope, { selector });
		const found = await this.#tab.evaluateHandle(findInPage, inside(scope, { selector }));
		const element = (await found.getProperty('first')).asElement();
		if (element) return element;
		throw new PageError(
			selector === undefined
				? 'The loop item is not an element of this page.'
				: `The page has no element ${selector}.`,
		);
	}
}

function inside(scope: Entered[], { selector, ...rest }: Partial<Wanted>): Wanted {
	const scoped = (each: string, isInside: boolean) => (isInside ? scopedSelector(each) : each);
	return {
		values: [],
		...rest,
		scope: scope.map((entered, depth) => ({
			...entered,
			selector: scoped(entered.selector, depth > 0),
		})),
		...(selector !== undefined && { selector: scoped(selector, scope.length > 0) }),
	};
}

/** Whether another document has come while something was done in a page. */
function isNavigation(error: unknown): boolean {
	return error instanceof Error && /context was destroyed|navigat/i.test(error.message);
}

function isDetached(error: unknown): boolean {
	return error instanceof Error && /not attached/i.test(error.message);
}
