import { z } from 'zod';
import { pictureAttributes } from '../pages/pictureAttributes.ts';
import { pageSettings } from '../tasks/pageSettings.ts';
import { id, loopTimes, selector, url } from '../tasks/values.ts';
import { newDraft, takenKinds, type Draft } from './draft.ts';
import type { PickerSession } from './session.ts';
import { aims } from './state.ts';

// What somebody has pointed at stands in their page, too: so it outlives the service, and a session that
// nobody used for long.

const columns = z.array(
	z.strictObject({
		id,
		name: z.string(),
		selector: selector.optional(),
		taken: z.enum(takenKinds),
		all: z.literal(true).optional(),
		picture: z.enum(pictureAttributes).optional(),
	}),
);

const carried = z.strictObject({
	draft: z.strictObject({
		taskID: id,
		name: z.string(),
		page: pageSettings.page,
		url,
		entries: selector.optional(),
		columns,
		next: z
			.strictObject({
				selector,
				says: z.string().optional(),
				maxPages: loopTimes.optional(),
				adds: z.literal(true).optional(),
			})
			.optional(),
		detail: z.strictObject({ link: selector.optional(), columns }).optional(),
		stepIds: z.strictObject({
			open: id,
			pages: id,
			wait: id,
			list: id,
			rows: id,
			follow: id,
			detail: id,
		}),
	}),
	fileHash: z.string().optional(),
	aim: z.enum(aims),
	shown: z.enum(['list', 'detail']),
	/** The number of what was pointed at in one entry. */
	one: z.int().optional(),
	/** That of the page that is shown: numbers count for it alone. */
	outline: z.string(),
});

type Carried = z.infer<typeof carried>;

/** What a page carries of a session: all but its undo, and what its task says besides. */
export interface CarriedDraft extends Pick<
	Carried,
	'fileHash' | 'aim' | 'shown' | 'one' | 'outline'
> {
	draft: Draft;
}

/** As text; `outline`: of the page that is shown. */
export function carriedText(session: PickerSession, outline: string): string {
	const { draft, fileHash, aim, shown, one } = session;
	const { settings: _, ...rest } = draft;
	const bare = (all: Draft['columns']) => all.map(({ others: _, ...column }) => column);
	const detail = rest.detail && { ...rest.detail, columns: bare(rest.detail.columns) };
	return JSON.stringify({
		draft: { ...rest, columns: bare(rest.columns), detail },
		fileHash,
		aim,
		shown,
		one: one?.number,
		outline,
	} satisfies Carried);
}

/** What such a text carries; undefined for any other. */
export function readCarried(text: string): CarriedDraft | undefined {
	const { success, data } = carried.safeParse(jsonOf(text));
	if (!success) return undefined;
	const { draft, ...rest } = data;
	const { page, url, name, columns, next, detail } = draft;
	const whole = (all: typeof columns) => all.map((each) => ({ selector: undefined, ...each }));
	return {
		...rest,
		draft: {
			...newDraft(url, page, name),
			...draft,
			columns: whole(columns),
			next: next && { maxPages: undefined, ...next },
			detail: detail && { link: undefined, ...detail, columns: whole(detail.columns) },
		},
	};
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
