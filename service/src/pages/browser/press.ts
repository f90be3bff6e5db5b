/// <reference lib="dom" />
import type { Switched } from '../page.ts';
import type { HandedElement } from './handedElement.ts';
import type { PageUse } from './pageUse.ts';
import { clickOn, leaveDialog, type Limits } from './readiness.ts';
import { unlessRefused } from './sendForm.ts';
import { WatchedSwitch } from './switches.ts';
import type { Typed } from './typeInto.ts';

/**
 * Clicks an element, and notes that among what was done on its page: a switch as `typed`, which is not clicked where it is as
 * an earlier click has left it. What is returned tells what that has switched, once the page has come to rest.
 */
export async function press(
	element: HandedElement,
	use: PageUse,
	{ limits, typed }: { limits: Limits; typed: Typed },
): Promise<() => Promise<Switched>> {
	const watched = await WatchedSwitch.of(element);
	if (watched) {
		typed.undo = () => watched.undo();
		typed.isChoice = watched.isChoice;
		typed.isUndone = async () => (await watched.switched()) === undefined;
		use.typed.push(typed);
		if (watched.wasOn === typed.isOn) return () => Promise.resolve(undefined);
	} else use.isPressed = true;
	const help = use.hasStayed ? () => comeBack(element) : undefined;
	await unlessRefused(element, () => clickOn(element, limits, help));
	return async () => (typed.isOn = await watched?.switched());
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
