import type { FastifyBaseLogger } from 'fastify';
import type { Page, Row } from '../pages/page.ts';
import { isForLater, type ScrollLoop, type Step } from '../tasks/task.ts';
import type { Place, Positions, Scrolling } from './place.ts';
import { aroundScroll } from './restarts.ts';
import type { RowReader } from './rowReader.ts';
import { ScrolledList } from './scrolledList.ts';
import type { ScrolledRows } from './scrolledRows.ts';

/** The agent that goes through the list. */
interface Scroller {
	page: Page;
	log: FastifyBaseLogger;
	/** The steps that follow. */
	behind: Step[];
	/** Whether the page is one of a loop by page, which clicks on what leads on. */
	isTurned: boolean;
	reader: RowReader;
	keep: (rows: Row[], positions: Positions) => Promise<void>;
	/** How many rows it has read. */
	read: () => number;
	/** Runs the steps of the loop, as long as `goOn` brings up what the next round works on. */
	repeat: (place: Place, goOn: () => Promise<boolean>) => Promise<void>;
	/** Tries work again where that fails, and takes note of it. */
	attempt: (work: () => Promise<void>, position: string) => Promise<void>;
}

/** Runs a loop by scroll: from where the page has opened its list to the end of that. */
export async function scrollThrough(
	loop: ScrollLoop,
	place: Place,
	agent: Scroller,
): Promise<void> {
	const { page, log, behind, isTurned, read } = agent;
	await page.scrollBack?.(loop.selector);
	const lists = place.scrolling?.lists ?? new Map<string, ScrolledRows>();
	const inside = { ...place, scrolling: { position: place.position, lists } };
	const list = new ScrolledList(page, loop, { behind, isTurned, shown: lists, log, read: read() });
	await aroundScroll(() => agent.repeat(inside, () => list.goOn(read())));
	await readAhead(loop.steps, inside, agent);
}

/**
 * The rows that were still to come into sight, as they are by now.
 */
async function readAhead(
	steps: Step[],
	place: Place & { scrolling: Scrolling },
	{ reader, keep, attempt }: Scroller,
): Promise<void> {
	for (const [index, step] of steps.entries()) {
		const scrolling = { ...place.scrolling, isAtEnd: true };
		const here = { ...place, scrolling, position: `${place.position}/${index}` };
		const list = place.scrolling.lists.get(here.position);
		if (step.type !== 'extractData' || !list?.hasHeld) continue;
		const read = async () => {
			for await (const { rows, positions } of reader.placed(step, here))
				await keep(rows, positions);
		};
		// Columns that each round reads anew are not at hand any more.
		if (!steps.some(isForLater)) await attempt(read, here.position);
		const positions = reader.positions(here);
		await keep(positions.rest(), positions);
	}
}
