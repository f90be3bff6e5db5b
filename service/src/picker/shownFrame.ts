import { Connection } from '../pages/http/connection.ts';
import { readAll } from '../pages/http/fetchDocument.ts';
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

/** Where the service is asked for pictures itself, and by what name browsers know its host. */
export interface OwnPictures {
	hosts: string[];
	addressOf: (picture: string) => string;
}

/** What is in the frame, and the origins that its pictures may be asked of. */
export interface ShownFrame {
	html: string;
	origins: string[];
}

/**
 * The page that is in the frame, in its own styles, without anything that it does. A browser would send the
 * cookie of the console to every port of its host, where somebody else may listen: pictures of that host are asked
 * of the service.
 */
export async function shownFrame(
	state: PickerState,
	{ readers, closing }: PickerParts,
	own: OwnPictures,
): Promise<ShownFrame> {
	const shown = shownPage(state);
	const pictures = await readers.ask(shown, 'pictures');
	const isOwn = isOfHosts(own.hosts);
	const others = pictures.filter((url) => !isOwn(url)).map((url) => new URL(url).origin);
	const sheets = await readers.ask(shown, 'styleSheets');
	const styles = await fetchStyles(sheets, state.draft.settings, closing);
	const elsewhere = Object.fromEntries(
		pictures.filter(isOwn).map((url) => [url, own.addressOf(url)]),
	);
	return {
		html: await readers.ask(shown, 'framed', styles, elsewhere),
		origins: [...new Set(others)],
	};
}

/** A picture of the host that the console is on; undefined for what is none of the page in the frame. */
export async function ownPicture(
	state: PickerState,
	{ readers, closing }: PickerParts,
	{ url, hosts }: { url: string; hosts: string[] },
): Promise<{ body: Buffer; type: string } | undefined> {
	const shown = shownPage(state);
	const pictures = await readers.ask(shown, 'pictures');
	if (late.has(shown) || !pictures.includes(url) || !isOfHosts(hosts)(url)) return undefined;
	const begun = performance.now();
	const connection = new Connection({ ...state.draft.settings, timeout: picturePatience });
	try {
		const how = { accept: 'image/*', signal: closing };
		return await connection.ask({ url }, how, async (answer) => {
			const [type] = /^image\/[\w.+-]+/.exec(answer.header('content-type') ?? '') ?? [];
			if (!answer.ok || type === undefined) return undefined;
			return { body: await readAll(answer.body, url, maxPicture), type };
		});
	} catch {
		// It is not there, to those who look at the page.
		if (performance.now() - begun >= picturePatience) late.add(shown);
		return undefined;
	} finally {
		await connection.close();
	}
}

/** `hosts`: with or without a port. */
function isOfHosts(hosts: string[]): (url: string) => boolean {
	const nameOf = (address: string) => URL.parse(address)?.hostname.replace(/\.$/, '');
	const names = new Set(hosts.map((host) => nameOf(`http://${host}`)));
	return (url) => names.has(nameOf(url));
}

/** Fetches style sheets, and resolves to the texts of those that come, by `href`. */
async function fetchStyles(
	sheets: { href: string; url: string }[],
	settings: RequestSettings,
	signal: AbortSignal,
): Promise<Record<string, string>> {
	const connection = new Connection({ ...settings, timeout: patience });
	try {
		const texts = await Promise.all(
			sheets.slice(0, maxSheets).map(async ({ href, url }) => {
				const text = await textOf(connection, url, signal).catch(() => undefined);
				return text === undefined ? [] : [[href, text] as const];
			}),
		);
		let length = 0;
		const shown = texts.flat().filter(([, text]) => (length += text.length) <= maxBytes);
		return Object.fromEntries(shown);
	} finally {
		await connection.close();
	}
}

function textOf(
	connection: Connection,
	url: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return connection.ask({ url }, { accept: 'text/css,*/*;q=0.1', signal }, async (answer) => {
		const body = await readAll(answer.body, url, maxBytes);
		return answer.ok ? body.toString('utf8') : undefined;
	});
}
