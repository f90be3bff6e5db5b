/// <reference lib="dom" />
import type { Page as Tab } from 'playwright-core';

declare global {
	/** Milliseconds since scripts have changed the document; Infinity if they have not. */
	var cloudScrapingUnchangedFor: (() => number) | undefined;
}

/**
 * Runs in each document before its own scripts, so it can use nothing that is outside of it. What the
 * parser makes is no change: whoever reads a page waits for that anyway.
 */
export function noteChanges(): void {
	// Frames are not read.
	if (window !== window.top) return;
	// Scripts may put a clock of their own in the place of the browser's.
	const now = performance.now.bind(performance);
	let lastChange = -Infinity;
	const observer = new MutationObserver(() => (lastChange = now()));
	const kinds = { childList: true, characterData: true, attributes: true, subtree: true };
	addEventListener('DOMContentLoaded', () => observer.observe(document, kinds), true);
	globalThis.cloudScrapingUnchangedFor = () => now() - lastChange;
}

/** Milliseconds since scripts have changed a tab's document; none while another one comes. */
export async function unchangedFor(tab: Tab): Promise<number> {
	const read = () => globalThis.cloudScrapingUnchangedFor?.() ?? Infinity;
	return tab.evaluate(read).catch(() => 0);
}
