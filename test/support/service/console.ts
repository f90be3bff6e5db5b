import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { cloudClient } from './cloudClient';

/** What a client has to know of a service. */
type Service = Parameters<typeof cloudClient>[0];

/** The link that a service's process has printed at its start, which lets one person into its console. */
export async function consoleLink(service: { standardError(): string }): Promise<string> {
	for (;;) {
		const [link] = /http:\/\/\S+\/console\/\?token=\S+/.exec(service.standardError()) ?? [];
		if (link !== undefined) return link;
		await sleep(10);
	}
}

/** Signs in with the service's API key and resolves to requests with the cookie of that session. */
export async function consoleClient(service: Service) {
	const signedIn = await fetch(`${service.baseUrl}/console/sign-in`, {
		method: 'POST',
		redirect: 'manual',
		body: new URLSearchParams({ apiKey: service.apiKey }),
	});
	const [cookie = ''] = signedIn.headers.getSetCookie();
	return (path: string, options: RequestInit = {}): Promise<Response> =>
		fetch(`${service.baseUrl}${path}`, {
			redirect: 'manual',
			...options,
			headers: { accept: 'text/html', cookie: cookie.split(';')[0] ?? '', ...options.headers },
		});
}

/** Milliseconds for a page to come, and for what is looked for on it: how long that takes, a busy machine decides. */
const comeFor = 60_000;

/** Gives pages their time. */
export function setTimeouts(context: BrowserContext): void {
	context.setDefaultTimeout(comeFor);
}

/** How a person looks at a page. */
export interface View {
	colorScheme?: 'light' | 'dark';
	width?: number;
}

/** A person at the console of a service, signed in. */
export interface ConsoleVisitor {
	page: Page;
	/** What the browser's console has complained of so far. */
	complaints: string[];
}

/** Opens a window of its own, in which the console knows who is there. */
export async function visitConsole(
	browser: Browser,
	service: Service,
	{ colorScheme = 'light', width = 1400 }: View = {},
): Promise<ConsoleVisitor> {
	const context = await browser.newContext({
		colorScheme,
		viewport: { width, height: 900 },
		baseURL: service.baseUrl,
		reducedMotion: 'reduce',
	});
	setTimeouts(context);
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on('console', (message) => {
		if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(error.message));
	// How it looks to sign in, the tests of the way in see.
	const form = { apiKey: service.apiKey };
	await context.request.post('/console/sign-in', { form, maxRedirects: 0 });
	return { page, complaints };
}
