/// <reference lib="dom" />
import { z } from 'zod';
import type { IsolatedWorld } from './isolatedWorld.ts';

/** The open document as HTML. */
export async function htmlOf(world: IsolatedWorld): Promise<string> {
	return z.string().parse(await world.call(htmlInPage, undefined));
}

/** The name of the encoding in which the open document came. */
export async function encodingOf(world: IsolatedWorld): Promise<string> {
	return z.string().parse(await world.call(() => document.characterSet, undefined));
}

/** Runs in the page, so it can use nothing that is outside of it. */
function htmlInPage(): unknown {
	const { doctype, documentElement } = document;
	return (
		(doctype ? new XMLSerializer().serializeToString(doctype) : '') + documentElement.outerHTML
	);
}
