/// <reference lib="dom" />
import { z } from 'zod';
import type { Snapshot } from '../page.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import type { OpenedTab } from './openedTab.ts';

/** The open document as HTML. */
export async function htmlOf(world: IsolatedWorld): Promise<string> {
	return z.string().parse(await world.call(htmlInPage, undefined));
}

/** The open document as it is now. */
export async function snapshotOf({ tab, world }: OpenedTab): Promise<Snapshot> {
	return {
		body: Buffer.from(await htmlOf(world)),
		url: tab.url(),
		contentType: 'text/html; charset=utf-8',
		encoding: z.string().parse(await world.call(() => document.characterSet, undefined)),
	};
}

/** Runs in the page, so it can use nothing that is outside of it. */
function htmlInPage(): unknown {
	const { doctype, documentElement } = document;
	return (
		(doctype ? new XMLSerializer().serializeToString(doctype) : '') + documentElement.outerHTML
	);
}
