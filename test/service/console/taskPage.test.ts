import { unlink, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { plainText } from '../../support/service/plainText';
import { stopwatch } from '../../support/service/stopwatch';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf, writeTasks } from '../../support/service/taskFiles';

let site: Site;
let service: RunningService;
let client: CloudClient;
let ask: Awaited<ReturnType<typeof consoleClient>>;
let words: ReturnType<typeof task>;

const hostile = '<script>alert("x")</script>';

beforeAll(async () => {
	site = await startSite(({ url }) => `<h1>${url.searchParams.get('q') ?? 'none'}</h1>`);
	words = task('words', [
		step('navigate', { url: `${site.baseUrl}/` }, 'open'),
		loop(
			{ loopType: 'list', listType: 'textList', texts: ['one', 'two'] },
			[step('navigate', { url: `${site.baseUrl}/?q=own` }, 'own'), extract({ Word: 'h1' })],
			'list',
		),
	]);
	const odd = task(hostile, [
		step('navigate', { url: `${site.baseUrl}/?${'x'.repeat(5_000)}` }),
		step('click', { selector: `a[title="<b>'&quot;"]` }),
		extract({ [hostile]: 'h1' }),
	]);
	const twice = task('twice', [
		step('navigate', { url: `${site.baseUrl}/` }),
		extract({ Article: 'h1', Other: 'p' }),
		extract({ Article: { id: uuidOf('twice'), selector: 'h2' } }),
	]);
	const gap = task('gap', [
		loop({ loopType: 'list', listType: 'textList', texts: ['one', ' '] }, [
			extract({ Word: 'h1' }),
		]),
	]);
	service = await startService({ tasks: { words, odd, twice, gap } });
	client = cloudClient(service);
	ask = await consoleClient(service);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** The fields of the start form of a page, as a browser would send them; line breaks are the browser's. */
async function formOf(taskID: string): Promise<Record<string, string>> {
	const text = await (await ask(`/console/tasks/${taskID}`)).text();
	const [form = ''] = /<form\s+class="card start"[^]*?<\/form>/.exec(text) ?? [];
	const inputs = [...form.matchAll(/<input([^>]*)>/g)].map(
		([, attributes = '']): [string, string] => [
			/name="([^"]*)"/.exec(attributes)?.[1] ?? '',
			/value="([^"]*)"/.exec(attributes)?.[1] ?? '',
		],
	);
	const areas = [...form.matchAll(/<textarea([^>]*)>\n([^]*?)<\/textarea>/g)].map(
		([, attributes = '', content = '']): [string, string] => [
			/name="([^"]*)"/.exec(attributes)?.[1] ?? '',
			content.replaceAll('\n', '\r\n'),
		],
	);
	return { region: '', ...Object.fromEntries([...inputs, ...areas]) };
}

function send(taskID: string, fields: Record<string, string>): Promise<Response> {
	const body = new URLSearchParams(fields);
	return ask(`/console/tasks/${taskID}/start`, { method: 'POST', body });
}

async function runs(taskID: string): Promise<number> {
	return (await client.batches(taskID)).pagination.total;
}

/** The rows of the newest batch of a task, as soon as it has ended. */
async function newestRows(taskID: string) {
	const { list } = await client.batches(taskID);
	const [newest] = list;
	if (!newest) throw new Error('There is no batch.');
	return client.rowsOf(await client.waitFor(newest, ({ status }) => status >= 3));
}

const listField = `value.${uuidOf('list')}`;

test('a form that was not changed sends no value of a step', async () => {
	const answer = await send(words.taskID, await formOf(words.taskID));
	expect(answer.status).toBe(303);
	expect(answer.headers.get('location')).toMatch(/^\/console\/batches\/\d+$/);
	expect(await newestRows(words.taskID)).toHaveLength(2);
});

test('what was changed is what the batch works with', async () => {
	const form = await formOf(words.taskID);
	expect(form[listField]).toBe('one\r\ntwo');
	await send(words.taskID, {
		...form,
		[listField]: 'a\r\n\r\nb\r\nc\r\n',
		[`value.${uuidOf('own')}`]: `${site.baseUrl}/?q=other`,
		nodeCount: '2',
		jobCount: '3',
		region: 'jp',
	});
	expect(await newestRows(words.taskID)).toEqual(Array(3).fill({ Word: 'other' }));
	const { list } = await client.batches(words.taskID);
	expect(list[0]).toMatchObject({ nodeCount: 2, jobCount: 3, region: 'jp' });
});

test('a URL is taken as people type it, as for a new task', async () => {
	const form = await formOf(words.taskID);
	const typed = `${site.baseUrl.replace(/^https?:\/\//, '')}/?q=typed`;
	const answer = await send(words.taskID, { ...form, [`value.${uuidOf('own')}`]: typed });
	expect(answer.status).toBe(303);
	expect(await newestRows(words.taskID)).toEqual(Array(2).fill({ Word: 'typed' }));
});

test('a step that can be given no other value offers no ID', async () => {
	const page = await (await ask(`/console/tasks/${words.taskID}`)).text();
	const copied = [...page.matchAll(/data-copy="([^"]*)" aria-label="Copy the step ID"/g)];
	expect(copied.map(([, id]) => id)).toEqual(['open', 'list', 'own'].map(uuidOf));
});

test('a form that is sent twice, at once or later, starts once', async () => {
	const before = await runs(words.taskID);
	const form = await formOf(words.taskID);
	const answers = await Promise.all([send(words.taskID, form), send(words.taskID, form)]);
	answers.push(await send(words.taskID, { ...form, nodeCount: '5' }));
	const places = answers.map(({ headers }) => headers.get('location'));
	expect(new Set(places).size).toBe(1);
	expect(await runs(words.taskID)).toBe(before + 1);
});

test('the list of tasks starts each of them once, too', async () => {
	const before = await runs(words.taskID);
	const page = await (await ask('/console/')).text();
	const [, token = ''] =
		new RegExp(`${words.taskID}/start"[^]*?name="token" value="([^"]+)"`).exec(page) ?? [];
	await Promise.all([send(words.taskID, { token }), send(words.taskID, { token })]);
	expect(await runs(words.taskID)).toBe(before + 1);
});

test.each([
	[
		'a URL that is none',
		{ [`value.${uuidOf('open')}`]: 'nowhere' },
		'&quot;nowhere&quot; is not an http or https URL, such as https://example',
	],
	['a list without an entry', { [listField]: ' \r\n' }, 'an array of at least one string'],
	['no agent', { nodeCount: '0' }, 'Enter a whole number of at least 1.'],
	['a part of a job', { jobCount: '1.5' }, 'Enter a whole number of at least 1.'],
	['an unknown region', { region: 'moon' }, 'Choose one of the regions.'],
	['two mistakes', { nodeCount: '0', jobCount: '0' }, 'correct 2 entries below'],
])('%s starts nothing, and all that was entered is kept', async (_what, wrong, message) => {
	const before = await runs(words.taskID);
	const entered = { ...(await formOf(words.taskID)), [`value.${uuidOf('own')}`]: 'http://kept/' };
	const answer = await send(words.taskID, { ...entered, ...wrong });
	expect(answer.status).toBe(400);
	const text = await answer.text();
	expect(text).toContain(message);
	expect(text).toContain('value="http://kept/"');
	expect(await runs(words.taskID)).toBe(before);
});

test('a password in what was entered is in no message', async () => {
	const wrong = { [`value.${uuidOf('open')}`]: 'ftp://me:secret@host/' };
	const answer = await send(words.taskID, { ...(await formOf(words.taskID)), ...wrong });
	const [mistake = ''] = /<p[^>]*class="mistake">[^<]*host[^<]*</.exec(await answer.text()) ?? [];
	expect(mistake).toContain('***@host');
	expect(mistake).not.toContain('secret');
});

test('a task that has changed since its form was opened is not started unseen', async () => {
	const changing = task('changing', words.steps);
	const folder = `${service.folder}/tasks`;
	await writeTasks(folder, { changing });
	await service.logged({ msg: 'task file loaded', taskID: changing.taskID });
	const form = await formOf(changing.taskID);
	await writeTasks(folder, { changing: { ...changing, delay: 1 } });
	await service.logged({ msg: 'task file changed', taskID: changing.taskID });
	const answer = await send(changing.taskID, { ...form, [listField]: 'mine' });
	expect(answer.status).toBe(409);
	expect(await answer.text()).toContain('>\nmine</textarea>');
	expect(await runs(changing.taskID)).toBe(0);
});

test('each step says what it does and what n8n needs to replace its value', async () => {
	const text = (await (await ask(`/console/tasks/${words.taskID}`)).text()).replace(/\s+/g, ' ');
	expect(text).toContain('For each of 2 texts');
	expect(text).toContain(`data-copy="${uuidOf('list')}"`);
	expect(text).toContain('Loop: Text List <code class="muted">config.texts</code>');
	expect(text).toContain('Navigate: URL <code class="muted">config.url</code>');
	expect(text).toMatch(/Reads one row from the page: Word/);
});

test('a list with an entry that no line of a form can be is not in the form, which says why', async () => {
	const text = plainText(await (await ask(`/console/tasks/${uuidOf('gap')}`)).text());
	expect(text).toContain('One of its texts is empty or has line breaks: replace them from n8n');
});

test('its columns are called as in its rows', async () => {
	const text = plainText(await (await ask(`/console/tasks/${uuidOf('twice')}`)).text());
	expect(text).toMatch(/Columns ArticleOtherArticle \(2\)/);
	expect(text).toContain('page: Article, Other');
	expect(text).toContain('page: Article (2)');
});

test('how to use it in n8n is there at any time, once', async () => {
	for (const query of ['', '?saved']) {
		const text = await (await ask(`/console/tasks/${uuidOf('words')}${query}`)).text();
		expect(text.match(/<details>\s*<summary>Use it in n8n/g)).toHaveLength(1);
		expect(text.match(/Copy for n8n/g)).toHaveLength(1);
	}
});

test('it says that a workflow to copy holds the values of the steps', async () => {
	const text = plainText(await (await ask(`/console/tasks/${uuidOf('words')}`)).text());
	expect(text).toContain('Run it and get its rows: started by hand. The values of its steps');
	expect(text).toContain('are copied into “Step Values” of the node');
});

test('names and selectors of a task file stay text', async () => {
	const text = await (await ask(`/console/tasks/${uuidOf(hostile)}`)).text();
	expect(text).not.toContain('<script>alert');
	expect(text).not.toContain('<b>&#39;');
	expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;');
	expect(text).toContain('a[title=&quot;&lt;b&gt;&#39;&amp;quot;&quot;]');
});

test('an unknown task has no page', async () => {
	const answer = await ask(`/console/tasks/${uuidOf('unknown')}`);
	expect(answer.status).toBe(404);
	expect(await answer.text()).toContain('There is no task');
});

test('a task whose file is bad or gone keeps its batches, and has no form', async () => {
	const short = task('short', words.steps);
	const folder = `${service.folder}/tasks`;
	await writeTasks(folder, { short });
	await service.logged({ msg: 'task file loaded', taskID: short.taskID });
	await client.run(short.taskID);
	for (const [msg, change, words] of [
		[
			'bad task file',
			(path: string) => writeFile(path, `{ "taskID": "${short.taskID}", }`),
			'has a mistake',
		],
		['task file removed', unlink, 'is gone'],
	] as const) {
		await change(`${folder}/short.json`);
		await service.logged({ msg, taskID: short.taskID });
		const text = await (await ask(`/console/tasks/${short.taskID}`)).text();
		expect(text).toContain(words);
		expect(text).toContain('1 batch');
		expect(text).not.toContain('class="card start"');
	}
});

test('10,000 batches are there at once, in each order, on the first page and on the last', async () => {
	const many = await startService({ tasks: { words } });
	await many.end();
	const database = new DatabaseSync(`${many.folder}/service.db`);
	database
		.prepare(
			`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
			INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time,
				start_time, end_time, run_time, line_count, request_id, fields, creation)
			SELECT n, ?, 'us', 1, 1, 3, n, n, n, 2 * n, n, 10000 - n, n, '[]', n FROM numbers`,
		)
		.run(words.taskID);
	database.close();
	const again = await startService({ folder: many.folder });
	const open = await consoleClient(again);
	for (const [query, first] of [
		['', '10000'],
		['?orderBy=1', '10000'],
		['?orderBy=2', '1'],
		['?page=200', '50'],
		['?orderBy=2&page=200', '9951'],
		['?page=9999', '50'],
	] as const) {
		const took = stopwatch();
		const text = await (await open(`/console/tasks/${words.taskID}${query}`)).text();
		// It takes some tens of milliseconds; reading all of them each time would take much longer.
		expect(took()).toBeLessThan(2_000);
		expect(text).toContain('10,000 batches');
		const [, shown] =
			/<tbody>[^]*?\/console\/batches\/(\d+)"/.exec(
				text.slice(text.indexOf('aria-label="Batches"')),
			) ?? [];
		expect(shown).toBe(first);
	}
	await again.stop();
});

test('{site} is shown as the address of the service, and explained where it can be changed', async () => {
	const own = task('own', [
		step('navigate', { url: '{site}/shop/products' }, 'shop'),
		loop({ loopType: 'list', listType: 'urlList', urls: ['{site}/shop/', `${site.baseUrl}/`] }, [
			step('navigate', { useLoopItem: true }, 'each'),
			extract({ Word: 'h1' }),
		]),
	]);
	const folder = `${service.folder}/tasks`;
	await writeTasks(folder, { own });
	await service.logged({ msg: 'task file loaded', taskID: own.taskID });
	const text = await (await ask(`/console/tasks/${own.taskID}`)).text();
	const [form = ''] = /<form\s+class="card start"[^]*?<\/form>/.exec(text) ?? [];
	const around = plainText(text.replace(form, ''));
	expect(around).not.toContain('{site}');
	expect(around).toContain(`Opens ${service.baseUrl}/shop/products`);
	for (const [address, shown] of [
		['/shop/products', `${service.baseUrl}/shop/products`],
		['/shop/', `${service.baseUrl}/shop/`],
		[`${site.baseUrl}/`, `${site.baseUrl}/`],
	]) {
		expect(text).toMatch(new RegExp(`href="${address}"[^>]*><code>${shown}</code></a>`));
	}
	expect(form).toContain('value="{site}/shop/products"');
	const explained = `{site} stands for this service: ${service.baseUrl}`;
	expect(plainText(form).split(explained)).toHaveLength(3);
	const foreign = await (await ask(`/console/tasks/${words.taskID}`)).text();
	expect(foreign).not.toContain('{site}');
});
