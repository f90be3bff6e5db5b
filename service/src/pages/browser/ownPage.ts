import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser as Chromium } from 'playwright-core';
import { within } from './within.ts';

/** Milliseconds for it to come: it takes a tenth of a second, but where the machine is busy. */
const patience = 10_000;

/**
 * Opens a page in a browser that no site is asked for: of this machine it takes what each page does, as of its memory and
 * of the disk with its temporary files. Throws where it does not come.
 */
export async function openOwnPage(chromium: Chromium): Promise<void> {
	const server = createServer((_request, response) => response.end('<!doctype html>'));
	try {
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		const isOpen = await within(patience, open(chromium, `http://127.0.0.1:${port}/`));
		if (!isOpen) throw new Error('No page opens in the browser.');
	} finally {
		server.close();
		server.closeAllConnections();
	}
}

async function open(chromium: Chromium, url: string): Promise<true> {
	const context = await chromium.newContext();
	try {
		const tab = await context.newPage();
		await tab.goto(url, { timeout: patience });
		return true;
	} finally {
		// One that hangs closes nothing.
		void context.close().catch(() => undefined);
	}
}
