import type { Locator } from 'playwright-core';
import type { DocumentState } from './documentState.ts';

/** An element for something to be done with; where scripts put another one in its place, that one. */
export interface HandedElement {
	/** As Playwright knows it. */
	locator: Locator;
	/** Of its page. */
	root: Locator;
	/** Runs a script in its page; `handed` says to the state of the document which element is meant. */
	ask<Argument extends object>(
		run: (state: DocumentState, argument: Argument & { handed: number }) => unknown,
		argument: Argument,
	): Promise<unknown>;
}
