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

/** The page that is in the frame, in its own styles, without anything that it does. */
export async function shownFrame(
	state: PickerState,
	{ readers, closing }: PickerParts,
): Promise<string> {
	const shown = shownPage(state);
	const sheets = await readers.ask(shown, 'styleSheets');
	const styles = await fetchStyles(sheets, state.draft.settings, closing);
	return readers.ask(shown, 'framed', styles);
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
