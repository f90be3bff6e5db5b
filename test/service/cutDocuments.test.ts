import { describeOnBothPages } from '../support/service/browser';
import { extract, loop, step, task } from '../support/service/taskFiles';
import { readAsWhole, startOnBothPages, type Ground } from './bothPages';

// Programs that fail in the middle of a page may send what they have, as if that were all: HTTP 200, and a whole body.

const whole = (body: string) => `<!doctype html><html><body>${body}</body></html>`;
const cut = (body: string) => `<!doctype html><html><body>${body}`;
const fatal =
	'<br />\n<b>Fatal error</b>:  Maximum execution time exceeded in <b>/a.php</b> on line <b>3</b><br />\n';
const isCut: unknown = expect.stringContaining(
	'the document ends before </html>, as those before it did',
);
const isFatal: unknown = expect.stringContaining('the document ends with an error of its site');

const entries: Record<string, string | { headers: Record<string, string>; body: Buffer }> = {
	pen: whole('<h1>Pen</h1>'),
	ink: cut('<h1>Ink</h1>'),
	shouted: `<HTML><BODY><H1>Shouted</H1></BODY></HTML><!-- ${'made '.repeat(2_000)}-->`,
	wide: {
		headers: { 'content-type': 'text/html; charset=utf-16le' },
		body: Buffer.from(whole('<h1>Wide</h1>'), 'utf16le'),
	},
	part: '<h1>Part</h1><p>as scripts ask for it',
	feed: {
		headers: { 'content-type': 'application/xml' },
		body: Buffer.from('<feed><h1 xmlns="http://www.w3.org/1999/xhtml">Feed</h1></feed>'),
	},
	open: cut('<h1>Open</h1>'),
	error: `<h1>Error</h1>${fatal}`,
};

const reading = (name: string, names: string[]) =>
	task(name, [
		loop({ loopType: 'list', listType: 'urlList', urls: names.map((each) => `{base}/${each}`) }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'h1' }),
		]),
	]);
const paging = (name: string, path: string, rest: object = {}) =>
	task(
		name,
		[
			step('navigate', { url: `{base}/${path}` }),
			loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, [
				extract({ Name: 'b' }, 'li'),
			]),
		],
		rest,
	);

/** Four pages of two rows; the third is cut, `once` the first time alone. */
function listAt(page: number, next: string, isOnce = false): string {
	const rows = [`<li><b>${page}a</b>`, `<li><b>${page}b</b>`];
	const turn = next.includes('?')
		? `<a id="next" href="${next}">Next</a>`
		: `<form method="post" action="${next}"><button id="next">Next</button></form>`;
	const link = page < 4 ? turn : '';
	if (page === 3 && !(isOnce && wereCut.has(next))) {
		wereCut.add(next);
		return cut(`${link}<ul>${rows[0]}`);
	}
	return whole(`${link}<ul>${rows.join('')}</ul>`);
}

let ground: Ground;
/** How far a site that counts by itself has come. */
let counted = 0;
const wereCut = new Set<string>();

beforeAll(async () => {
	const tasks = {
		once: reading('once', ['pen', 'once']),
		entries: reading('entries', Object.keys(entries)),
		'without ends': reading('without ends', ['ink', 'open']),
		list: paging('list', 'list?cut=once&page=1'),
		'cut list': paging('cut list', 'list?cut=always&page=1'),
		'list of one try': paging('list of one try', 'list?cut=once&page=1', { tries: 1 }),
		'counted list': paging('counted list', 'counted'),
	};
	ground = await startOnBothPages(tasks, ({ url: { pathname, searchParams } }) => {
		const name = pathname.slice(1);
		if (name === 'list') {
			const [how, page] = [searchParams.get('cut'), Number(searchParams.get('page'))];
			return listAt(page, `/list?cut=${how}&page=${page + 1}`, how === 'once');
		}
		if (name === 'counted') return listAt((counted += 1), '/counted');
		if (name !== 'once') return entries[name] ?? '';
		const isAgain = wereCut.has(name);
		wereCut.add(name);
		return isAgain ? whole('<h1>Once</h1>') : cut('');
	});
}, 300_000);

afterAll(() => ground?.stop());

beforeEach(() => {
	wereCut.clear();
	counted = 0;
});

const run = (name: string) => readAsWhole(ground, name);

const allButOne = ['1a', '1b', '2a', '2b', '3a', '4a', '4b'];

describeOnBothPages('on a page of kind', (kind) => {
	test('a page without its end, where those before it had theirs, is opened once more', async () => {
		expect(await run(`once ${kind}`)).toEqual({ names: ['Pen', 'Once'], warnings: [] });
	});

	test('one that stays so, or ends with an error of its site, is told; what ends otherwise is not', async () => {
		const { names, warnings } = await run(`entries ${kind}`);
		expect(names).toEqual(['Pen', 'Ink', 'Shouted', 'Wide', 'Part', 'Feed', 'Open', 'Error']);
		expect(warnings).toEqual([
			['ink', isCut],
			['open', isCut],
			['error', isFatal],
		]);
	});

	test('where none has its end, none is told', async () => {
		expect(await run(`without ends ${kind}`)).toEqual({ names: ['Ink', 'Open'], warnings: [] });
	});

	test('“next” is followed once more to one without its end', async () => {
		const { names, warnings } = await run(`list ${kind}`);
		expect(names).toEqual(['1a', '1b', '2a', '2b', '3a', '3b', '4a', '4b']);
		expect(warnings).toEqual([]);
	});

	test('what it leads to then is read, and told', async () => {
		const { names, warnings } = await run(`cut list ${kind}`);
		expect(names).toEqual(allButOne);
		expect(warnings).toEqual([['list?cut=always&page=3', isCut]]);
	});

	test('so is the first such page, where there is no other try', async () => {
		const { names, warnings } = await run(`list of one try ${kind}`);
		expect(names).toEqual(allButOne);
		expect(warnings).toEqual([['list?cut=once&page=3', isCut]]);
	});

	test('and where the site may count by itself how far its visitor is', async () => {
		const { names, warnings } = await run(`counted list ${kind}`);
		expect(names).toEqual(allButOne);
		expect(warnings).toEqual([['counted', isCut]]);
	});
});
