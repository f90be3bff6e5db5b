import { describeOnBothPagesAtLength, testWithBrowser } from '../support/service/browser';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// A page that a loop has been on may come again at another address, and with something new in its HTML:
// its rows tell it.

let visits = 0;

/** The rows of a page, what else their elements say, and whether another one follows. */
const pages: Record<string, (page: number) => { rows: string[]; of?: string; next: boolean }> = {
	/** Behind the last page, it comes again and again. */
	behind: (page) => ({ rows: rowsOf(Math.min(page, 3)), next: true }),
	/** Its third page is the first, whose rows a cache has kept; others follow, or none. */
	stale: (page) => ({ rows: rowsOf(page === 3 ? 1 : page), next: page < 5 }),
	'stale-last': (page) => ({ rows: rowsOf(page === 3 ? 1 : page), next: page < 3 }),
	/** Its third page is the first. */
	forgotten: (page) => ({ rows: rowsOf(((page - 1) % 2) + 1), next: true }),
	/** Nothing tells its pages apart, or only their address. */
	alike: (page) => ({ rows: ['sold', 'sold'], next: page < 4 }),
	addressed: (page) => ({ rows: ['open', 'closed'], next: page < 4 }),
	/** What is read of its pages is the same, and it stands beside other things. */
	prices: (page) => ({ rows: ['5', '6'], of: `Item ${page} costs `, next: page < 4 }),
	/** Its rows take over the day, which stands beside them. */
	days: (page) => ({ rows: ['9:00', '10:00'], next: page < 4 }),
};
/** A script goes from day to day, at one address. */
const madeDays = `<h2>Day 1</h2><p><b>9:00</b></p><p><b>10:00</b></p><button class="next">Next</button><script>
let day = 1;
document.querySelector('button').onclick = ({ target }) => {
	document.querySelector('h2').textContent = 'Day ' + (day += 1);
	target.disabled = day === 3;
};
</script>`;
const daysOf = (days: number) =>
	Array.from({ length: days }, (_, day) => [`Day ${day + 1} 9:00`, `Day ${day + 1} 10:00`]).flat();
const rowsOf = (page: number) => [`${page}a`, `${page}b`];

const tasks = Object.fromEntries(
	[...Object.keys(pages), 'daysMade'].map((name) => [
		name,
		task(name, [
			step('navigate', { url: `{base}/${name}?p=1` }),
			loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [
				...(name.startsWith('days') ? [extract({ Day: 'h2' }, undefined, { emit: false })] : []),
				extract({ Row: 'b', ...(name === 'addressed' && { Page: { source: 'pageUrl' } }) }, 'p'),
			]),
		]),
	]),
);

let ground: Ground;

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url: { pathname, searchParams } }) => {
		const page = Number(searchParams.get('p'));
		if (pathname === '/daysMade') return madeDays;
		const said = pages[pathname.slice(1)]?.(page);
		if (!said) return { status: 404 };
		const link = said.next ? `<a class="next" href="?p=${page + 1}">Next</a>` : '';
		const rows = said.rows.map((row) => `<p>${said.of ?? ''}<b>${row}</b></p>`).join('');
		return `<input type="hidden" value="${(visits += 1)}"><h2>Day ${page}</h2>${rows}${link}`;
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('on a page of kind', (page) => {
	const run = async (name: string) => {
		const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
		const days = rows.map(({ Day, Row }) => `${Day} ${Row}`);
		return { batchID: batch.batchID, rows: rows.map(({ Row }) => Row), days };
	};
	const ended = { level: 40, msg: 'loop by page ended' };
	const leftOut =
		'after 3 pages that read as one before does, whose rows are left out; where they have addresses of their own, a column of the source "pageUrl" tells them apart';

	test('the last page ends the loop where it comes again and again, which a warning says', async () => {
		const { batchID, rows } = await run('behind');
		expect(rows).toEqual([1, 2, 3].flatMap(rowsOf));
		const reason = `page was seen before, ${leftOut}`;
		await ground.service.logged({ batchID, ...ended, reason });
	});

	test('so do those before it', async () => {
		const { batchID, rows } = await run('forgotten');
		expect(rows).toEqual([1, 2].flatMap(rowsOf));
		const reason = `page was seen before: .next leads back to it, ${leftOut}`;
		await ground.service.logged({ batchID, ...ended, reason });
	});

	test.each([
		['stale', 5],
		['stale-last', 3],
	])('one that is kept though it reads as one before is told: %s', async (name, count) => {
		const { batchID, rows } = await run(name);
		const read = Array.from({ length: count }, (_, index) => (index === 2 ? 1 : index + 1));
		expect(rows).toEqual(read.flatMap(rowsOf));
		const told = ground.service.log.filter(
			(line) => line.batchID === batchID && line.msg === 'page may be missing',
		);
		const reason = expect.stringMatching(/p=3 reads as a page before it does:/) as unknown;
		expect(told).toEqual([expect.objectContaining({ reason })]);
	});

	test('pages whose rows do not tell them apart are others by their address', async () => {
		expect((await run('alike')).rows).toEqual(Array.from({ length: 8 }, () => 'sold'));
		expect((await run('addressed')).rows).toHaveLength(8);
	});

	test('pages are others where their rows differ in what they take over from beside them', async () => {
		expect((await run('days')).days).toEqual(daysOf(4));
	});

	test('pages with the same prices of other things are others', async () => {
		expect((await run('prices')).rows).toEqual(Array.from({ length: 4 }, () => ['5', '6']).flat());
	});
});

testWithBrowser('so are those that a script makes at one address', async () => {
	const { rows } = await ground.client.run(uuidOf('daysMade browser'));
	expect(rows.map(({ Day, Row }) => `${Day} ${Row}`)).toEqual(daysOf(3));
});
