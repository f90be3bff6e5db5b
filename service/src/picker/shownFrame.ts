import { Connection } from '../pages/http/connection.ts';
import { readAll } from '../pages/http/fetchDocument.ts';
import type { RequestSettings } from '../pages/requestSettings.ts';
import type { PickerParts } from './openPage.ts';
import { shownPage } from './session.ts';
import type { PickerState } from './state.ts';

/** Milliseconds for all of them: a page is shown without those that take longer. */
const patience = 4_000;

/** What is in the frame, and the origins that its pictures may be asked of. */
export interface ShownFrame {
	html: string;
	origins: string[];
}

/**
 * The page that is in the frame, in its own styles, without anything that it does. A browser would send the
 * cookie of the console to every port of its host, `ownHost`, where somebody else may listen: pictures of that
 * host are fetched here.
 */
export async function shownFrame(
	state: PickerState,
	{ readers, closing }: PickerParts,
	ownHost: string,
): Promise<ShownFrame> {
	const shown = shownPage(state);
	const { settings } = state.draft;
	const isOwn = (url: string) => hostOf(url) === hostOf(`http://${ownHost}`);
	const pictures = await readers.ask(shown, 'pictures');
	const sheets = await readers.ask(shown, 'styleSheets');
	const own = pictures.filter(isOwn).map((url) => ({ name: url, url }));
	const [styles, held] = await Promise.all([
		fetchAll(sheets, styleSheets, settings, closing),
		fetchAll(own, ownPictures, settings, closing),
	]);
	const origins = new Set(pictures.filter((url) => !isOwn(url)).map((url) => new URL(url).origin));
	return { html: await readers.ask(shown, 'framed', styles, held), origins: [...origins] };
}

function hostOf(url: string): string {
	return new URL(url).hostname.replace(/\.$/, '');
}

/** Something that is fetched for the frame. */
interface Kind {
	accept: string;
	/** How many are fetched, and bytes of all of them that are shown. */
	most: number;
	maxBytes: number;
	/** What stands for it in the frame; undefined for what is something else. */
	shown: (body: Buffer, type: string) => string | undefined;
}

const styleSheets: Kind = {
	accept: 'text/css,*/*;q=0.1',
	most: 30,
	maxBytes: 2 * 1024 * 1024,
	shown: (body) => body.toString('utf8'),
};

const ownPictures: Kind = {
	accept: 'image/*',
	most: 100,
	maxBytes: 8 * 1024 * 1024,
	shown: (body, type) => {
		const [picture] = /^image\/[\w.+-]+/.exec(type) ?? [];
		return picture && `data:${picture};base64,${body.toString('base64')}`;
	},
};

/** Fetches all that come in time, by their names. */
async function fetchAll(
	wanted: { name: string; url: string }[],
	{ accept, most, maxBytes, shown }: Kind,
	settings: RequestSettings,
	signal: AbortSignal,
): Promise<Record<string, string>> {
	const connection = new Connection({ ...settings, timeout: patience });
	try {
		const found = await Promise.all(
			wanted.slice(0, most).map(async ({ name, url }) => {
				const asked = connection.ask({ url }, { accept, signal }, async (answer) => {
					const body = await readAll(answer.body, url, maxBytes);
					return answer.ok ? shown(body, answer.header('content-type') ?? '') : undefined;
				});
				const text = await asked.catch(() => undefined);
				return text === undefined ? [] : [[name, text] as const];
			}),
		);
		let length = 0;
		return Object.fromEntries(
			found.flat().filter(([, text]) => (length += text.length) <= maxBytes),
		);
	} finally {
		await connection.close();
	}
}
