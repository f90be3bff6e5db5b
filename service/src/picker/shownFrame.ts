import { Connection } from '../pages/http/connection.ts';
import { readAll } from '../pages/http/fetchDocument.ts';
import { sitesOf } from '../pages/secretHeaders.ts';
import type { RequestSettings } from '../pages/requestSettings.ts';
import type { PickerParts } from './openPage.ts';
import { shownPage } from './session.ts';
import type { PickerState } from './state.ts';

/** Style sheets of a page that are fetched, and bytes of all of them that are shown. */
const maxSheets = 30;
const maxBytes = 2 * 1024 * 1024;
/** Milliseconds for all of them: a page is shown without those that take longer. */
const patience = 4_000;

/** Milliseconds for a picture, and bytes that it has at most. */
const picturePatience = 3_000;
const maxPicture = 8 * 1024 * 1024;
/** Pages of which a picture has not come in time: a browser has few connections to a host, and its others wait. */
const late = new WeakSet<object>();

/** The addresses of the pictures of pages that were shown. */
const known = new WeakMap<object, Promise<Set<string>>>();

/**
 * The page that is in the frame, in its own styles, without anything that it does. Its pictures are asked of the service, at
 * `pictures`: so the browser of whoever looks at it asks no site for anything, be it one of their own network, or on
 * another port of the console's host, to which it would send the console's cookie.
 */
export async function shownFrame(
	state: PickerState,
	{ readers, closing }: PickerParts,
	pictures: string,
): Promise<string> {
	const shown = shownPage(state);
	const sheets = await readers.ask(shown, 'styleSheets');
	const settings = settingsOf(state);
	const asking = { page: shown.url, settings, timeout: patience };
	const styles = await fetchStyles(sheets, asking, closing);
	return readers.ask(shown, 'framed', styles, pictures);
}

/** A picture of the page in the frame; undefined for what is none of that. */
export async function shownPicture(
	state: PickerState,
	{ readers, closing }: PickerParts,
	url: string,
): Promise<{ body: Buffer; type: string } | undefined> {
	const shown = shownPage(state);
	const asked = known.get(shown) ?? readers.ask(shown, 'pictures').then((all) => new Set(all));
	known.set(shown, asked);
	if (late.has(shown) || !(await asked).has(url)) return undefined;
	const begun = performance.now();
	const how = { accept: 'image/*', signal: closing };
	const settings = settingsOf(state);
	const asking = { page: shown.url, settings, timeout: picturePatience };
	try {
		return await askFor(url, asking, how, async (answer) => {
			const [type] = /^image\/[\w.+-]+/.exec(answer.header('content-type') ?? '') ?? [];
			if (!answer.ok || type === undefined) return undefined;
			return { body: await readAll(answer.body, url, maxPicture), type };
		});
	} catch {
		// It is not there, to those who look at the page.
		if (performance.now() - begun >= picturePatience) late.add(shown);
		return undefined;
	}
}

function settingsOf({ draft: { settings, url } }: PickerState): RequestSettings {
	return { ...settings, sites: sitesOf(url) };
}

/** Who asks for a part of a page, and for how long. */
interface Asking {
	/** The address of the page. */
	page: string;
	settings: RequestSettings;
	/** Milliseconds. */
	timeout: number;
}

/** Asks for what belongs to a page. What its task sends with its requests, as to log in, is for the site of the page alone. */
async function askFor<Result>(
	url: string,
	{ page, settings, timeout }: Asking,
	how: { accept: string; signal: AbortSignal },
	read: Parameters<typeof Connection.prototype.ask<Result>>[2],
): Promise<Result> {
	const isOwn = URL.parse(url)?.origin === URL.parse(page)?.origin;
	const headers = isOwn ? settings.headers : undefined;
	const connection = new Connection({ ...settings, headers, timeout });
	try {
		return await connection.ask({ url }, how, read);
	} finally {
		await connection.close();
	}
}

/** Fetches style sheets, and resolves to the texts of those that come, by `href`. */
async function fetchStyles(
	sheets: { href: string; url: string }[],
	asking: Asking,
	signal: AbortSignal,
): Promise<Record<string, string>> {
	const how = { accept: 'text/css,*/*;q=0.1', signal };
	const textOf = (url: string) =>
		askFor(url, asking, how, async (answer) => {
			const body = await readAll(answer.body, url, maxBytes);
			return answer.ok ? body.toString('utf8') : undefined;
		});
	const texts = await Promise.all(
		sheets.slice(0, maxSheets).map(async ({ href, url }) => {
			const text = await textOf(url).catch(() => undefined);
			return text === undefined ? [] : [[href, text] as const];
		}),
	);
	let length = 0;
	const shown = texts.flat().filter(([, text]) => (length += text.length) <= maxBytes);
	return Object.fromEntries(shown);
}
