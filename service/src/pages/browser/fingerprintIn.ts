import type { Entered, LookAtPage, Reading } from '../page.ts';
import { fingerprintOf, type Fingerprint, type ReadContent } from '../seenPages.ts';
import { htmlOf } from './htmlOf.ts';
import { elementTimeout, type OpenedTab } from './openedTab.ts';
import { isAnother, readContent, readsTheSame, untilAnswered } from './pageChange.ts';
import { wantedBy } from './wantedBy.ts';

/** What is to be read, inside of what was entered. */
interface Look {
	scope: Entered[];
	readings: Reading[];
}

interface Waiting extends LookAtPage {
	/** Milliseconds for data that is on its way. */
	timeout: number;
	/** Waits until the next look. */
	rest: () => Promise<void>;
}

/**
 * What tells the open page from others. Given the one `before` a click, waits until that has changed what is
 * read. Throws a PageError where nothing has changed that had to, and data has failed to come.
 */
export async function fingerprintIn(
	opened: OpenedTab,
	wanted: Look,
	{ before, patience, isBeforeStep = false, timeout, rest }: Waiting,
): Promise<Fingerprint> {
	const { network } = opened;
	let now = await lookIn(opened, wanted, isBeforeStep);
	if (!before) return now;
	const usual = patience ?? elementTimeout;
	const mayChange = untilAnswered(network.data, { usual, most: timeout });
	const isDone = () => isAnother(now, before, network.hasOpened);
	const mayFollow = async () => patience === undefined || (await hasAskedInStep(opened));
	while (!isDone() && mayChange() && (await mayFollow())) {
		await rest();
		now = await lookIn(opened, wanted);
		if (!isDone() && mayChange()) continue;
		await network.settle();
		now = await lookIn(opened, wanted);
	}
	if (!isDone() && patience === undefined)
		network.data.check('A click has changed nothing that is read.');
	const isSame = !network.hasOpened && readsTheSame(now, before);
	return {
		...now,
		content: isSame ? before.content : now.content,
		byAddress: now.byAddress || now.address !== before.address,
	};
}

/** Whether something may come later of a step: a page that has gone away meanwhile is followed by another. */
async function hasAskedInStep({ world, network }: OpenedTab): Promise<boolean> {
	const hasAsked = world.call(({ hasAskedInStep }) => hasAskedInStep(), undefined);
	return network.isLive || (await hasAsked.catch(() => true)) === true;
}

async function lookIn(
	{ tab, world, network, elements }: OpenedTab,
	{ scope, readings }: Look,
	isBeforeStep = false,
) {
	const read: ReadContent[] = [];
	const beside: ReadContent[] = [];
	for (const reading of readings) {
		const { values, ...wanted } = wantedBy(reading, scope);
		const each = { ...wanted, isBeforeStep, values: [...values, {}, { html: true }] };
		const content = readContent(await elements.look(scope, each), reading);
		(reading.isBeside ? beside : read).push(content);
	}
	const html = await htmlOf(world);
	return fingerprintOf(tab.url(), html, { byAddress: network.openedByAddress, read, beside });
}
