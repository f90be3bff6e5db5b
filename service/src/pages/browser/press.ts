/// <reference lib="dom" />
import type { Switched } from '../page.ts';
import type { HandedElement } from './handedElement.ts';
import type { PageUse } from './pageUse.ts';
import { clickOn, leaveDialog, type Limits } from './readiness.ts';
import { unlessRefused } from './sendForm.ts';
import { WatchedSwitch } from './switches.ts';

/**
 * Clicks an element, and notes that among what was done on its page. What is returned tells what that has switched, once
 * the page has come to rest.
 */
export async function press(
	element: HandedElement,
	use: PageUse,
	limits: Limits,
): Promise<() => Promise<Switched>> {
	const watched = await WatchedSwitch.of(element);
	if (watched) use.typed.push(watched);
	else use.isPressed = true;
	const help = use.hasStayed ? () => comeBack(element) : undefined;
	await unlessRefused(element, () => clickOn(element, limits, help));
	return async () => watched?.switched();
}

/**
 * Pages that are left show so, or take no more clicks, and undo that where a browser shows them again as they were: by
 * its event, which nothing else stands for where they have stayed.
 */
async function comeBack(element: HandedElement): Promise<void> {
	await leaveDialog(element);
	const shown = element.ask(() => {
		dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
	}, {});
	// It may open itself anew for that: then its element is not there any more, which is told.
	await shown.catch(() => undefined);
}
