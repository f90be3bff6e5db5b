/// <reference lib="dom" />
import { z } from 'zod';
import type { OpenedTab } from './openedTab.ts';
import { within } from './within.ts';

/** Characters of a session that is carried: who signs in keeps a token there, and not much else. */
const maxLength = 1_000_000;
/** Milliseconds for a page to say it: its scripts may be busy. */
const askTime = 2_000;

const sessionShape = z.object({
	origin: z.string(),
	name: z.string(),
	items: z.array(z.tuple([z.string(), z.string()])),
});

type Session = z.output<typeof sessionShape>;

/** A tab begins with what another one has in its `sessionStorage`, and with its name, as if a link had been followed there. */
export async function carrySession(from: OpenedTab, to: OpenedTab): Promise<void> {
	const asked = from.world.call(sessionIn, maxLength).catch(() => undefined);
	const session = sessionShape.optional().parse(await within(askTime, asked));
	if (session && session.items.length + session.name.length > 0)
		await to.tab.addInitScript(beginSession, session);
}

// What follows runs in pages, so it can use nothing that is outside of it.

function sessionIn(_state: unknown, most: number): unknown {
	const items = Object.entries<unknown>(sessionStorage);
	const { name } = window;
	const length = items.reduce((sum, item) => sum + item.join('').length, name.length);
	return length > most ? undefined : { origin: location.origin, name, items };
}

function beginSession({ origin, name, items }: Session): void {
	if (location.origin !== origin || window !== window.top) return;
	// Only at the first page of that origin: what that has made of it stays.
	if (window.name === '') window.name = name;
	if (sessionStorage.length > 0) return;
	for (const [key, value] of items) sessionStorage.setItem(key, value);
}
