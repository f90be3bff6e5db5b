import { cloudClient } from './cloudClient';
import { consoleClient } from './console';
import { plainText } from './plainText';

/** What one has to know of a service whose runs are waited for. */
type Service = Parameters<typeof cloudClient>[0] & {
	logged(properties: Record<string, unknown>): Promise<void>;
};

/** An element in the frame, up to the end of its own first text: its tag, its number, the text. */
const numbered = /(<\w+[^>]*? data-pointing-number="(\d+)"[^>]*>)([^<]*)/g;

/** A button beside the frame: where it is sent, and its name. */
const buttons = /formaction="([^"]+)"\s+aria-label="([^"]+)"/g;

/**
 * Points at a page as the console's script does it, by requests alone: for what is said and what comes
 * of it. `path` begins: with the address of a page in `values`, or with a task that is changed.
 */
export async function pointByRequests(
	service: Service,
	path: string,
	values: Record<string, string> = {},
) {
	const visit = await consoleClient(service);
	const post = (to: string, entries: Record<string, string>, headers = {}) =>
		visit(to, { method: 'POST', body: new URLSearchParams(entries), headers });
	const location = (await post(path, values)).headers.get('location') ?? '';
	const read = async (from: string) => (await visit(from)).text();
	/** The whole page as it was opened. */
	const pointed = await read(location);
	/** What stands beside the page that is pointed at. */
	let panel = pointed;

	/** What the page carries of what was pointed at. */
	const carried = () => {
		const [, draft = ''] = /id="draft"[^>]*?value="([^"]*)"/.exec(panel) ?? [];
		return { draft: plainText(draft).replaceAll('&#39;', "'") };
	};

	async function act(to: string, entries: Record<string, string> = {}): Promise<string> {
		const all = { ...entries, ...carried() };
		panel = await (await post(to, all, { 'hx-request': 'true' })).text();
		return plainText(panel);
	}

	/** The page as it is shown to be pointed at. */
	const frame = () => read(/\sdata-frame="([^"]+)"/.exec(panel)?.[1] ?? '');

	/** Saves the task, and resolves to where that leads. */
	async function save(entries: Record<string, string> = {}): Promise<string> {
		const answer = await post(`${location}/save`, { ...entries, ...carried() });
		return answer.headers.get('location') ?? '';
	}

	async function firstRows(cells: RegExp): Promise<string[]> {
		const rows = await (await post(`${location}/rows`, carried())).text();
		return [...rows.matchAll(cells)].map(([, cell = '']) => plainText(cell));
	}

	return {
		read,
		frame,
		save,
		pointed,
		carried,
		panel: () => panel,
		/** Points at the first element with this text or such a tag; resolves to what is said then. */
		pointAt: async (wanted: string | RegExp): Promise<string> => {
			const found = [...(await frame()).matchAll(numbered)].find(([, tag = '', , text = '']) =>
				typeof wanted === 'string' ? text.trim() === wanted : wanted.test(tag),
			);
			if (!found?.[2]) throw new Error(`There is no ${String(wanted)} to point at.`);
			return act(`${location}/act`, { action: 'point', number: found[2] });
		},
		/** Presses the button of this name; resolves to what is said then. */
		press: async (name: string): Promise<string> => {
			const found = [...panel.matchAll(buttons)].find(([, , each]) => each === name);
			if (!found?.[1]) throw new Error(`There is no button "${name}".`);
			return act(found[1].replaceAll('&amp;', '&'));
		},
		/** Changes what stands in a form beside the frame; resolves to what is said then. */
		change: (action: string, entries: Record<string, string>): Promise<string> =>
			act(`${location}/act`, { action, ...entries }),
		/** The cells of the first rows. */
		firstCells: () => firstRows(/<td[^>]*>([^]*?)<\/td>/g),
		/** Their columns. */
		firstColumns: () => firstRows(/<th scope[^>]*>([^]*?)<\/th>/g),
		/** Saves the task, runs it, and resolves to the values of each row. */
		saveAndRun: async (): Promise<string[][]> => {
			const [batchID = ''] = /\d+(?=\?saved$)/.exec(await save({ run: '1' })) ?? [];
			await service.logged({ batchID, msg: 'batch successful' });
			const { list } = await cloudClient(service).data(batchID);
			return list.map((row) => Object.values(JSON.parse(row) as Record<string, string>));
		},
	};
}
