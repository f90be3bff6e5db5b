import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from '../support/length';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { runCommand } from '../support/service/runCommand';
import { demoTasks } from '../support/service/startService';
import { stopwatch } from '../support/service/stopwatch';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, writeTasks } from '../support/service/taskFiles';

// What the command `try` prints.

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-commands-'));
});

afterEach(() => rm(folder, { recursive: true }));

const run = (args: string[], settings?: Record<string, string>) => runCommand(args, settings).ended;

let site: Site;
/** Tells when the page is asked for that never comes. */
const slowPage = new EventEmitter();

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') {
			slowPage.emit('asked');
			await new Promise(() => {});
		}
		if (url.pathname === '/gone') return { status: 404 };
		if (url.pathname === '/sold') return '<ul><li><b>Oak Chair</b></li></ul>';
		const cells = ['茶碗', '👩‍🌾 &amp; co', '\u001B[31mred\u202E', 'x'.repeat(5_000)];
		return `<ul>${cells.map((cell, index) => `<li><b>${cell}</b><i>${index}</i></li>`).join('')}</ul><a class="next" href="#2">next</a>`;
	});
});

afterAll(() => site?.stop());

async function saved(content: object | string): Promise<string> {
	await writeTasks(folder, { task: content });
	return join(folder, 'task.json');
}

const open = (path: string) => step('navigate', { url: `${site.baseUrl}${path}` });
const cells = extract({ Name: 'b', 'N°': 'i' }, 'li');

test('--json prints rows whole, the report beside them, and equal failures once', async () => {
	const file = await saved(
		task('json', [
			open('/'),
			extract({ Name: 'b', 'N°': 'i', Again: { name: 'Name', selector: 'i' } }, 'li'),
			loop({ loopType: 'list', listType: 'textList', texts: ['a', 'a', 'a', 'a'] }, [
				open('/gone'),
			]),
		]),
	);
	const { exitCode, out, error } = await run(['try', file, '--json']);
	expect(exitCode).toBe(0);
	const rows = out
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as object);
	expect(rows[3]).toEqual({ Name: 'x'.repeat(5_000), 'N°': '3', 'Name (2)': '3' });
	expect(error).toContain('4 pages failed:\n');
	expect(error).toContain(
		'/gone could not be opened: HTTP 404, the page does not exist. (4 times)\n',
	);
});

test('prints the first rows of a demo task, and stops there', async () => {
	const { exitCode, out, error } = await run([
		'try',
		join(demoTasks, 'product-list.json'),
		'--rows',
		'14',
	]);
	expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
	const [name, , head, line, first, ...rest] = out.split('\n');
	expect(name).toBe('Small shop: the whole list, page by page');
	expect(head).toMatch(/^Name +Category +Price +Link$/);
	expect(line).toMatch(/^─+ {2}─+ {2}─+ {2}─+$/);
	expect(first).toMatch(
		/^Oak Chair +Furniture +€ 9\.00 +http:\/\/127\.0\.0\.1:\d+\/shop\/products\/P001$/,
	);
	expect(rest.slice(12)).toEqual([
		expect.stringMatching(/^Brass Shelf /),
		'',
		'14 rows; the task was stopped there (--rows 14).',
		'No page failed.',
		'Every selector found something.',
		'',
	]);
});

testWithBrowser('prints the rows of a task for a browser', async () => {
	const { exitCode, out } = await run(
		['--try', join(demoTasks, 'catalogue-filter.json')],
		browserOfUsers,
	);
	expect(exitCode).toBe(0);
	expect(out).toContain('18 rows; the task came to its end.');
});

testWithBrowser('ends with its last row, and not when its browser would', async () => {
	const begun = performance.now();
	const file = join(demoTasks, 'catalogue-scroll.json');
	const { out } = await run(['try', file, '--rows', '5'], browserOfUsers);
	expect(out).toContain('5 rows; the task was stopped there (--rows 5).');
	expect(performance.now() - begun).toBeLessThan(60_000);
});

test('cuts long values, aligns wide ones, and leaves nothing that a terminal obeys, nor a file', async () => {
	const file = await saved(task('wide', [open('/'), cells]));
	const { out } = await run(['--try', file], { SERVICE_DATA: join(folder, 'service.db') });
	const [, , head, , tea, farmer, red, long] = out.split('\n');
	expect(head).toMatch(/^Name +N°$/);
	expect(tea).toMatch(/^茶碗 +0$/);
	expect(farmer).toMatch(/^👩‍🌾 & co +1$/u);
	expect(red).toMatch(/^\uFFFD\[31mred\uFFFD +2$/);
	expect(long).toMatch(/^x{115}… {2}3$/);
	// 茶碗 takes four columns of a terminal, and two characters.
	expect(tea?.indexOf('0')).toBe((head?.indexOf('N°') ?? 0) - 2);
	// Nothing is stored.
	expect(await readdir(folder)).toEqual(['task.json']);
});

test('names failed pages and selectors that found nothing', async () => {
	const withPassword = site.baseUrl.replace('//', '//user:secret@');
	const urls = [`${withPassword}/`, `${site.baseUrl}/gone`, `${site.baseUrl}/there`];
	const steps = [
		step('navigate', { useLoopItem: true }),
		extract({ Name: 'b', Prize: '.prize' }, 'li'),
		extract({ Title: 'h1' }, '.none'),
	];
	const file = await saved(
		task('failing', [loop({ loopType: 'list', listType: 'urlList', urls }, steps)]),
	);
	const { exitCode, out } = await run(['--try', file]);
	expect(exitCode).toBe(0);
	const withoutPassword = withPassword.replace('user:secret', '***');
	expect(out).toContain(
		[
			'4 rows; the task came to its end.',
			'2 pages failed:',
			`  ${withoutPassword}/: The address of a page on ${new URL(site.baseUrl).host} has a user name or password, which an http page does not send. Set "page" to "browser".`,
			`  ${site.baseUrl}/gone could not be opened: HTTP 404, the page does not exist.`,
			'2 selectors found nothing:',
		].join('\n'),
	);
	expect(out).toContain('  .prize (column Prize)\n');
	expect(out).toContain('  Scripts of the pages may fill in a column');
	expect(out).toContain('  .none (rows or a loop)\n');
});

test('names selectors that found nothing on some pages', async () => {
	const urls = [1, 2, 3, 4].map((page) => `${site.baseUrl}/?${page}`);
	const onEach = loop(
		{ loopType: 'list', listType: 'urlList', urls: [...urls, `${site.baseUrl}/sold`] },
		[step('navigate', { useLoopItem: true }), cells],
	);
	const { out } = await run(['--try', await saved(task('sold', [onEach])), '--rows', '50']);
	expect(out).toContain(
		[
			'17 rows; the task came to its end.',
			'No page failed.',
			'Every selector found something somewhere.',
			'1 selector found nothing on some pages, or in some entries:',
			`  i (column N°): 1 of 5 pages with rows, first ${site.baseUrl}/sold`,
			'',
		].join('\n'),
	);
});

test('warns of rows that may be missing', async () => {
	const next = loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [cells]);
	const { out } = await run(['--try', await saved(task('part', [open('/'), next]))]);
	expect(out).toContain(
		'Every selector found something.\n1 warning: rows may be missing, or there more than once.\n',
	);
	expect(out).toContain(`  loop by page ended at ${site.baseUrl}/: .next leads to no other page`);
});

test('names what leads from page to page, and is on none', async () => {
	const next = loop({ loopType: 'page', selector: '.nxt', timesMode: 'all' }, [cells]);
	const { out } = await run(['--try', await saved(task('lone', [open('/'), next]))]);
	expect(out).toContain(
		[
			'Every selector found something.',
			'A loop by page has read one page. Where there are more, its selector finds nothing, or what nobody sees:',
			`  no .nxt at ${site.baseUrl}/`,
			'',
		].join('\n'),
	);
});

test('fails when no row came', async () => {
	const file = await saved(task('empty', [open('/gone'), cells]));
	const { exitCode, out } = await run(['--try', file]);
	expect(exitCode).toBe(1);
	expect(out).toContain('0 rows; the task came to its end.\n1 page failed:\n');
	expect(out).toMatch(/\nNo page got as far as its rows, so no selector was tried\.\n$/);
});

const unusable: [string, string, string][] = [
	['is bad', 'task.json', '/steps must not be empty, but is [].'],
	['is not there', 'other.json', 'There is no file '],
];
test.each(sample(unusable))('says so when the file %s', async (_what, name, reason) => {
	await saved(task('bad', []));
	const { exitCode, out, error } = await run(['--try', join(folder, name)]);
	expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
	expect(error).toContain(reason);
	expect(error).toContain(join(folder, name));
});

test('says that there is no browser', async () => {
	const file = join(demoTasks, 'catalogue-scroll.json');
	const { exitCode, error } = await run(['--try', file], { SERVICE_BROWSER: '/bin/true' });
	expect(exitCode).toBe(1);
	expect(error).toContain('SERVICE_BROWSER is "/bin/true", which is not a Chromium or Chrome');
});

const signals = ['SIGINT', 'SIGTERM'] as const;
test.each(sample(signals))('%s ends it, with the rows so far', async (signal) => {
	const file = await saved(task('slow', [open('/'), cells, open('/slow')]));
	const command = runCommand(['--try', file]);
	await Promise.race([once(slowPage, 'asked'), command.ended]);
	const took = stopwatch();
	command.kill(signal);
	const { exitCode, out } = await command.ended;
	expect(took()).toBeLessThan(5_000);
	expect(exitCode).toBe(130);
	expect(out).toContain('4 rows; the task was stopped before its end.\n');
});

test('an address in the place of the file is told without its password', async () => {
	const { exitCode, error } = await run(['try', 'postgres://u:s3cr3t@h/x']);
	expect(exitCode).toBe(1);
	expect(error).toMatch(/^There is no file .*postgres:\/\*\*\*@h\/x\.$/m);
});
