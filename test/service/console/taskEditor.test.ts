import { readFile, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Trials } from '../../../service/src/runs/trial.ts';
import { readTaskText } from '../../../service/src/tasks/readTaskText.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { plainText } from '../../support/service/plainText';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';

let site: Site;
let service: RunningService;
let ask: Awaited<ReturnType<typeof consoleClient>>;
let folder: string;

beforeAll(async () => {
	site = await startSite(async ({ url, closed }) => {
		if (url.pathname === '/never') await closed;
		if (url.pathname === '/blank') return '<p></p>';
		const rows = Array.from({ length: 30 }, (_, index) => `<p>${index} &lt;b&gt;</p>`);
		return `${rows.join('')}<a class="next" href="#">next</a>`;
	});
	service = await startService({
		tasks: Object.fromEntries(
			['one', 'two', 'saved', 'raced', 'lost'].map((name) => [
				name,
				`${JSON.stringify(reading(name))}\n`,
			]),
		),
	});
	ask = await consoleClient(service);
	folder = join(service.folder, 'tasks');
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

function reading(name: string, rest: object = {}, path = '/') {
	const open = step('navigate', { url: `${site.baseUrl}${path}` });
	return task(name, [open, extract({ Text: {} }, 'p')], rest);
}

const textOf = (name: string) => readFile(join(folder, `${name}.json`), 'utf8');

function post(action: string, name: string, fields: Record<string, string>, signal?: AbortSignal) {
	const body = new URLSearchParams(fields);
	return ask(`/console/files/${action}/${name}.json`, { method: 'POST', body, signal });
}

/** The hash in the form of a file that is opened. */
async function hashOf(name: string): Promise<string> {
	const page = await (await ask(`/console/files/edit/${name}.json`)).text();
	return /name="hash" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
}

/** What is said about a text, as one line. */
async function saidOf(text: string): Promise<string> {
	const answer = await (await post('check', 'one', { text })).text();
	return answer
		.replace(/<button[^]*/, '')
		.replace(/<[^>]*>/g, '')
		.replaceAll('&quot;', '"')
		.replace(/\s+/g, ' ')
		.trim();
}

describe('what is said while one types', () => {
	const lines = (...all: string[]) => all.join('\r\n');
	const head = `"taskID": "${uuidOf('one')}", "name": "n", "page": "http",`;

	test.each([
		[
			'a wrong value',
			lines('{', head, '"steps": [', '{ "type": "navigate", "config": {', '"url": 5 } }', '] }'),
			'Line 5: /steps/0/config/url must be a text, but is 5.',
		],
		[
			'a missing value',
			lines('{', head, '"steps": [', '{ "type": "navigate",', '"config": {} }', '] }'),
			'Line 5: /steps/0/config/url is missing.',
		],
		[
			'an unknown name',
			lines(
				'{',
				head,
				'"color": 1,',
				'"steps": [{ "type": "wait", "config": { "milliseconds": 1 } }] }',
			),
			'Line 3: /color is not known here.',
		],
		[
			'a missing comma',
			lines('{', '"taskID": "x"', '"name": "n" }'),
			'Line 3: A comma is missing before this.',
		],
		[
			'a comma too much',
			lines('{', '"name": "n",', '}'),
			'Line 3: A name in double quotes must stand here.',
		],
		[
			'a comment',
			lines('{', '// here', '"name": "n" }'),
			'Line 2: Comments cannot stand in a task file.',
		],
		['nothing', '', 'Line 1: A value must stand here.'],
		[
			'a task of another file',
			lines(
				'{',
				`"taskID": "${uuidOf('two').toUpperCase()}",`,
				'"name": "n", "page": "http",',
				'"steps": [{ "type": "navigate", "config": { "url": "http://x/" } },',
				'{ "type": "extractData", "config": { "fields": [{ "name": "a" }] } }] }',
			),
			`Line 2: /taskID "${uuidOf('two').toUpperCase()}" is the id of the task in two.json already.`,
		],
	])('%s is named with its line', async (_what, text, message) => {
		expect(await saidOf(text)).toBe(message);
	});

	test('a good text has no mistake', async () => {
		expect(await saidOf(await textOf('one'))).toBe('No mistakes in this task.');
	});

	test('what is nested too deeply is a mistake, and the service goes on', async () => {
		expect(await saidOf('['.repeat(100_000))).toContain('There are too many lists');
		expect(await saidOf(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).not.toBe('');
	});

	test.each([
		['a value', '{ "taskID": "x", "name": "http://me:secret@host/" }'],
		['what is no JSON', '["http://me:secret", }'],
		[
			'a wrong URL',
			JSON.stringify({ ...task('one', [step('navigate', { url: 'ftp://me:secret@host/' })]) }),
		],
	])('a password in %s is not in the message', async (_what, text) => {
		expect(await saidOf(text)).toMatch(/^Line 1: /);
		expect(await saidOf(text)).not.toContain('secret');
	});
});

describe('saving', () => {
	test('writes the file as it was entered, and the task is there at once', async () => {
		const text = `${JSON.stringify(reading('saved', { name: 'Saved <i>' }), null, '\t')}\n`;
		const answer = await post('edit', 'saved', {
			text: text.replaceAll('\n', '\r\n'),
			hash: await hashOf('saved'),
		});
		expect(answer.status).toBe(303);
		const page = await (await ask(answer.headers.get('location') ?? '')).text();
		expect(page).toContain('<h1>Saved &lt;i&gt;</h1>');
		expect(await textOf('saved')).toBe(text);
		expect((await readdir(folder)).filter((name) => !name.endsWith('.json'))).toEqual([]);
	});

	test('refuses what is no task, and keeps what was entered', async () => {
		const before = await textOf('one');
		const answer = await post('edit', 'one', { text: '{ "mine": 1 }', hash: await hashOf('one') });
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain('>\n{ &quot;mine&quot;: 1 }</textarea>');
		expect(await textOf('one')).toBe(before);
	});

	test('refuses to overwrite what was never shown, until it is asked to', async () => {
		const hash = await hashOf('two');
		const theirs = JSON.stringify(reading('two', { delay: 1 }));
		const mine = JSON.stringify(reading('two', { delay: 2 }));
		await writeFile(join(folder, 'two.json'), theirs);
		const answer = await post('edit', 'two', { text: mine, hash });
		expect(answer.status).toBe(409);
		const page = await answer.text();
		expect(page).toContain('Nothing was saved: the file has been changed');
		expect(page).toContain('&quot;delay&quot;:2');
		expect(await textOf('two')).toBe(theirs);
		expect((await post('edit', 'two', { text: mine, hash })).status).toBe(409);
		const [, overwrite = ''] = /name="overwrite"\s+value="([^"]+)"/.exec(page) ?? [];
		expect((await post('edit', 'two', { text: mine, hash, overwrite })).status).toBe(303);
		expect(await textOf('two')).toBe(mine);
	});

	test('of two people who save at once, one is told', async () => {
		const hash = await hashOf('raced');
		const answers = await Promise.all(
			[1, 2].map((delay) =>
				post('edit', 'raced', { hash, text: JSON.stringify(reading('raced', { delay })) }),
			),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
	});

	test('a text whose file is gone is not lost', async () => {
		const hash = await hashOf('lost');
		await unlink(join(folder, 'lost.json'));
		await service.logged({ msg: 'task file removed', file: join(folder, 'lost.json') });
		const answer = await post('edit', 'lost', { hash, text: 'my text' });
		expect(answer.status).toBe(404);
		expect(await answer.text()).toContain('>\nmy text</textarea>');
		expect(await readdir(folder)).not.toContain('lost.json');
	});

	test('the proxy of a task is in no line of the log', async () => {
		const text = JSON.stringify(reading('one', { proxy: 'http://me:secret@127.0.0.1:1' }));
		expect((await post('edit', 'one', { text, hash: await hashOf('one') })).status).toBe(303);
		expect(await (await ask('/console/files/edit/one.json')).text()).toContain('me:secret@');
		expect((await post('edit', 'one', { text: '{', hash: await hashOf('one') })).status).toBe(400);
		expect(JSON.stringify(service.log)).not.toContain('secret');
		const back = JSON.stringify(reading('one'));
		await post('edit', 'one', { text: back, hash: await hashOf('one') });
	});
});

test.each([
	'..%2Fservice.db',
	'%2Fetc%2Fpasswd',
	'..%2F..%2Fetc%2Fpasswd.json',
	'unknown.json',
	'.hidden.json',
])('%s is not a file to edit', async (name) => {
	expect((await ask(`/console/files/edit/${name}`)).status).toBe(404);
	const body = new URLSearchParams({ text: await textOf('one'), overwrite: 'gone' });
	const answer = await ask(`/console/files/edit/${name}`, { method: 'POST', body });
	expect(answer.status).toBe(404);
});

test.each(['edit/one.json', '%65dit/one.json', 'edit/%6fne.json', 'htmx/../edit/one.json'])(
	'nobody sees or changes %s without signing in',
	async (path) => {
		const url = `${service.baseUrl}/console/files/${path}`;
		const seen = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
		expect(seen.status).toBe(303);
		for (const action of [
			path,
			path.replace(/(%65|e)dit/, 'try'),
			path.replace(/(%65|e)dit/, 'check'),
		]) {
			const body = new URLSearchParams({ text: '{}' });
			const answer = await fetch(`${service.baseUrl}/console/files/${action}`, {
				method: 'POST',
				body,
			});
			expect(answer.status).toBe(401);
		}
	},
);

describe('trying', () => {
	const never = (name: string) => JSON.stringify(reading(name, { page: 'http' }, '/never'));
	const tried = async (tryOut: object) =>
		(await post('try', 'one', { text: JSON.stringify(tryOut) })).text();

	test('shows the first 20 rows, and stores and saves nothing', async () => {
		const before = await textOf('one');
		const answer = await tried(reading('one', { delay: 3 }));
		expect(answer.match(/<td>/g)).toHaveLength(20);
		expect(answer).toContain('>19 &lt;b&gt;<');
		expect(answer).toContain('The first 20 rows. Run the task to get all of them.');
		expect(await textOf('one')).toBe(before);
		const { pagination } = await cloudClient(service).batches(uuidOf('one'));
		expect(pagination.total).toBe(0);
	});

	test('names pages that failed, selectors that found nothing and warnings, without passwords', async () => {
		const gone = step('navigate', { url: 'http://me:secret@127.0.0.1:1/' });
		const failed = await tried(task('one', [gone, extract({ Text: {} }, 'p')], { tries: 1 }));
		expect(failed).toContain('1 page failed');
		expect(failed).not.toContain('secret');
		const empty = task('one', [
			step('navigate', { url: site.baseUrl }),
			loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [
				extract({ Text: 'p', Price: '.price' }),
			]),
		]);
		const found = await tried(empty);
		expect(found).toContain('1 selector found nothing');
		expect(found).toContain('column <b>Price</b>');
		expect(found).toContain('.next leads to no other page');
	});

	test('names selectors that found nothing on some pages', async () => {
		const urls = ['?1', '?2', '?3', 'blank'].map((path) => `${site.baseUrl}/${path}`);
		const some = task('one', [
			loop({ loopType: 'list', listType: 'urlList', urls }, [
				step('navigate', { useLoopItem: true }),
				extract({ Text: 'p', Page: { source: 'pageUrl' } }),
			]),
		]);
		const said =
			'1 selector found nothing on some pages, or in some entries No column had a value on 1 of 4 pages or entries';
		expect(plainText(await tried(some))).toContain(`${said}, first at ${urls[3]}`);
	});

	test('{site} is the service itself', async () => {
		const shop = task('one', [
			step('navigate', { url: '{site}/shop/products' }),
			extract({ At: { source: 'pageUrl' } }),
		]);
		expect(await tried(shop)).toContain(`>${service.baseUrl}/shop/products<`);
	});

	test('two at once, a third one is told; who leaves makes room, and their trial ends', async () => {
		const leaving = new AbortController();
		const before = site.requests.length;
		const text = never('one');
		const trying = () => post('try', 'one', { text }, leaving.signal).catch(() => undefined);
		const hanging = [trying(), trying()];
		while (site.requests.length < before + 2)
			await new Promise((resolve) => setTimeout(resolve, 10));
		const third = await (await post('try', 'one', { text })).text();
		expect(third).toContain('Too many trials are running.');
		leaving.abort();
		await Promise.all(hanging);
		// Their pages are not waited for any more.
		await Promise.all(site.requests.slice(before).map(({ closed }) => closed));
		while (!(await tried(reading('one'))).includes('20 rows'));
	});

	test('a trial that takes too long ends, and says so', async () => {
		const read = readTaskText(never('one'));
		if ('mistake' in read) throw new Error(read.mistake.message);
		const { signal } = new AbortController();
		const trials = new Trials({ milliseconds: 300 });
		const trial = await trials.run(read.task, { rows: 20, signal, site: site.baseUrl });
		expect(trial).toMatchObject({ isTimedOut: true, rows: [] });
	});
});
