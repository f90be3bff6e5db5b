import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudClient, type Batch } from '../support/service/cloudClient';
import { isFullLength, length } from '../support/length';
import { startService as startHere } from '../support/inProcess/startService';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

const kills = length({ full: 20, short: 3 });

// A site of 20 list pages; each lists four items, of which every second one has the same text.
const listPages = 20;

let site: Site;
/** What is still to be stopped when a test ends early. */
let running: RunningService | undefined;

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		await sleep(10);
		const [, kind, number] = url.pathname.split('/');
		if (kind === 'item') return `<h1>Item ${number}</h1>`;
		if (kind === 'broken') return { status: 404 };
		const page = Number(number);
		const items = [0, 1, 2, 3].map(
			(item) =>
				`<li><a href="/item/${page * 4 + item}">${item % 2 ? 'same' : page * 4 + item}</a></li>`,
		);
		const next = page < listPages - 1 ? `<a id="next" href="/list/${page + 1}">next</a>` : '';
		const broken = `<li><a href="/broken/${page}">broken ${page}</a></li><li>no link ${page}</li>`;
		const more = kind === 'entries' ? broken : '';
		return `<form action="/item/form"><input name="q"></form><ul>${items.join('')}${more}</ul>${next}`;
	});
});

afterAll(async () => {
	await running?.kill();
	await site?.stop();
});

const rowsOf = (name: string) => extract({ [name]: {} }, 'li, h1');

const tasks = () => {
	const url = (path: string) => `${site.baseUrl}${path}`;
	const items = Array.from({ length: 120 }, (_, index) => url(`/item/${index % 100}`));
	return {
		urls: task('urls', [
			loop({ loopType: 'list', listType: 'urlList', urls: items }, [
				step('navigate', { useLoopItem: true }),
				rowsOf('urls'),
			]),
		]),
		lists: task('lists', [
			loop(
				{
					loopType: 'list',
					listType: 'urlList',
					urls: Array.from({ length: listPages }, (_, index) => url(`/list/${index}`)),
				},
				[
					step('navigate', { useLoopItem: true }, 'list'),
					rowsOf('lists'),
					loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
						step('click', { selector: 'a' }),
						rowsOf('items'),
					]),
				],
				'each list',
			),
		]),
		pages: task('pages', [
			step('navigate', { url: url('/list/0') }),
			loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, [rowsOf('pages')]),
		]),
		entries: task('entries', [
			loop({ loopType: 'count', times: 2 }, [
				step('navigate', { url: url('/entries/3') }, 'entries'),
				loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
					extract({ entry: {} }, undefined, { emit: false }),
					step('click', { selector: 'a' }, 'page of the entry'),
					rowsOf('page'),
				]),
			]),
		]),
		counted: task('counted', [
			loop({ loopType: 'count', times: 10 }, [
				step('navigate', { url: url('/list/3') }, 'third'),
				rowsOf('counted'),
			]),
		]),
	};
};

const names = ['urls', 'lists', 'pages', 'entries', 'counted'] as const;

test(`goes on after ${kills} crashes at random moments: no row lost, doubled or moved`, async () => {
	const calm = await startHere({ tasks: tasks() });
	const undisturbed: Record<string, unknown> = {};
	for (const name of names.slice(0, kills)) {
		const { batch, rows } = await cloudClient(calm).run(uuidOf(name), {
			nodeCount: 2,
			jobCount: 7,
		});
		undisturbed[name] = { rows, ...countsOf(batch) };
	}
	await calm.stop();

	running = await startService({ tasks: tasks() });
	const { folder } = running;
	const started: { name: (typeof names)[number]; batch: Batch }[] = [];
	/** What a reader has seen of each batch. */
	const seen = new Map<string, string[]>();
	let interrupted = 0;
	for (let kill = 0; kill < kills; kill += 1) {
		const client = cloudClient(running);
		const name = names[kill % names.length] ?? 'urls';
		const batch = await client.start(uuidOf(name), { nodeCount: 2, jobCount: 7 });
		started.push({ name, batch });
		if (isFullLength) await sleep(randomInt(400));
		// Few kills must each hit something.
		else await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
		for (const { batch } of started) {
			const { list } = await client.data(batch.batchID);
			const before = seen.get(batch.batchID) ?? [];
			expect(list.slice(0, before.length)).toEqual(before);
			seen.set(batch.batchID, list);
		}
		await running.kill();
		running = await startService({ folder });
		const { list } = await cloudClient(running).batches(uuidOf(name));
		if (list.some(({ status }) => status < 3)) interrupted += 1;
	}

	const client = cloudClient(running);
	for (const { name, batch } of started) {
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect({ rows: await client.rowsOf(ended), ...countsOf(ended) }).toEqual(undisturbed[name]);
		const { list } = await client.data(batch.batchID);
		const before = seen.get(batch.batchID) ?? [];
		expect(list.slice(0, before.length)).toEqual(before);
	}
	const ids = started.map(({ batch }) => BigInt(batch.batchID));
	expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
	expect(new Set(ids).size).toBe(kills);
	// Otherwise nothing was recovered.
	expect(interrupted).toBeGreaterThan(kills / 2);
	await running.stop();
	running = undefined;
	await rm(folder, { recursive: true, force: true });
});

function countsOf({ status, lineCount, duplicatedCount, jobCount }: Batch) {
	return { status, lineCount, duplicatedCount, jobCount };
}
