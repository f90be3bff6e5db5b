import { cloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

const navigate = step('navigate', { url: 'http://127.0.0.1/' });
const rows = extract({ Name: 'h1' });
const good = task('good', [navigate, rows]);
/** Its file begins with a byte order mark. */
const marked = task('marked', [navigate, rows]);

/** Each bad file, with the start of what is said about it. */
const bad: Record<string, [unknown, string]> = {
	notJson: ['{"taskID": ', 'Line 1: A value must stand here'],
	tooLarge: [' '.repeat(5 * 1024 * 1024 + 1), 'The file is larger than 5 MiB, the most that a'],
	notAnObject: [[], 'The file must be an object, but is []'],
	noSteps: [task('a', []), '/steps must not be empty, but is []'],
	noTaskID: [{ ...good, taskID: undefined }, '/taskID is missing'],
	noUuid: [{ ...good, taskID: 'shop' }, '/taskID must be a UUID (8-4-4-4-12 hexadecimal digits;'],
	unknownKey: [{ ...good, color: 'red' }, '/color is not known here'],
	unknownPage: [{ ...good, page: 'ftp' }, '/page must be "http" or "browser", but is "ftp"'],
	unknownStep: [
		task('b', [step('fly', {})]),
		'/steps/0/type must be "navigate" or "inputText" or "click" or "wait" or "loop" or "extractData", but is "fly"',
	],
	noUrl: [task('c', [step('navigate', {})]), '/steps/0/config/url is missing'],
	fileUrl: [
		task('d', [step('navigate', { url: 'file:///etc/passwd' })]),
		'/steps/0/config/url must be an http or https URL, or begin with {site}/, but is "file:///etc/passwd"',
	],
	badSelector: [
		task('e', [navigate, extract({ Name: 'h1[' })]),
		'/steps/1/config/fields/0/selector must be a CSS selector, but is "h1["',
	],
	...Object.fromEntries(
		['..r', 'li:not(..r)', '[.r]', 'a=1', 'li >', '#1num'].map(
			(selector, index): [string, [object, string]] => [
				`strayMark${index}`,
				[
					task(`stray mark ${index}`, [navigate, extract({ Name: selector })]),
					`/steps/1/config/fields/0/selector must be a CSS selector, but is "${selector}"`,
				],
			],
		),
	),
	partlyOfPage: [
		task('partly of page', [navigate, extract({ Name: ':root .panel b, i' })]),
		'/steps/1/config/fields/0/selector must begin with :root in each part of the list, or in none: such a selector counts from the page, but is ":root .panel b, i"',
	],
	noQuotes: [
		task('no quotes', [navigate, extract({ Name: 'li[data-page=2] a' })]),
		'/steps/1/config/fields/0/selector must be a CSS selector (write li[data-page="2"] a), but is "li[data-page=2] a"',
	],
	contains: [
		task('contains', [navigate, extract({ Name: "a:contains('x')" })]),
		'/steps/1/config/fields/0/selector must be a CSS selector (:contains() is no CSS; a field can take what a "match" finds in its text), but is "a:contains(\'x\')"',
	],
	xpath: [
		task('xpath', [navigate, extract({ Name: '//h1' })]),
		'/steps/1/config/fields/0/selector must be a CSS selector (this is XPath), but is "//h1"',
	],
	ofHttp: [
		task('of http', [navigate, extract({ Name: 'p:lang(en)' })]),
		'/steps/1/config/fields/0/selector must be a CSS selector (http pages do not know this part of CSS), but is "p:lang(en)"',
	],
	noExpression: [
		task('no expression', [navigate, extract({ Name: { match: '(?=a)' } })]),
		'/steps/1/config/fields/0/match must be a regular expression (RE2: without look-around and back-references)',
	],
	costly: [
		task('costly', [
			navigate,
			extract({
				Name: { match: 'a{1000}' },
				Other: { match: '((((\\pL{5}){5}){5}){8})'.repeat(200) },
			}),
		]),
		'/steps/1/config/fields/1/match is too long, or repeats too much, with those before it: the regular expressions of a task have 10000 characters at most, and fewer where something is repeated a number of times ("{1,50}")',
	],
	unknownFirst: [
		{ ...good, page: undefined, pages: 'http' },
		'/pages is not known here; /page is missing',
	],
	manyMistakes: [
		task(
			'many',
			[1, 2, 3, 4, 5, 6, 7].map((n) => step('navigate', { url: n })),
		),
		[
			...[0, 1, 2, 3, 4].map((n) => `/steps/${n}/config/url must be a text, but is ${n + 1}`),
			'and 2 more',
		].join('; '),
	],
	unknownLoop: [
		task('f', [loop({ loopType: 'spiral' }, [rows])]),
		'/steps/0/config/loopType must be "count" or "list" or "page" or "scroll", but is "spiral"',
	],
	unknownList: [
		task('g', [loop({ loopType: 'list', listType: 'x' }, [rows])]),
		'/steps/0/config/listType must be "urlList" or "textList" or "elements", but is "x"',
	],
	noTimes: [
		task('h', [loop({ loopType: 'page', selector: 'a', timesMode: 'custom' }, [rows])]),
		'/steps/0/config/times is missing',
	],
	zeroTimes: [
		task('i', [loop({ loopType: 'count', times: 0 }, [rows])]),
		'/steps/0/config/times must be at least 1, but is 0',
	],
	deepMistake: [
		task('j', [
			loop({ loopType: 'count', times: 1 }, [loop({ loopType: 'count', times: 1.5 }, [rows])]),
		]),
		'/steps/0/config/steps/0/config/times must be a whole number, but is 1.5',
	],
	scrollOverHttp: [
		task('k', [navigate, loop({ loopType: 'scroll', timesMode: 'all' }, [rows])]),
		'/steps/1/config/loopType is "scroll", which an http page cannot do: set "page" to "browser"',
	],
	columnsOfNoRow: [
		task('columns of no row', [navigate, extract({ Name: 'h1' }, undefined, { emit: false })]),
		'/steps/1/config/emit is false, and no row follows in the same round',
	],
	columnsBehindRows: [
		task('columns behind rows', [
			loop({ loopType: 'count', times: 1 }, [
				rows,
				extract({ Price: 'b' }, undefined, { emit: false }),
			]),
			extract({ Other: 'i' }),
		]),
		'/steps/0/config/steps/1/config/emit is false, and no row follows in the same round',
	],
	openedWhileScrolling: [
		task(
			'o',
			[
				navigate,
				loop({ loopType: 'scroll', timesMode: 'all' }, [
					loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
						step('navigate', { useLoopItem: true }),
						rows,
					]),
				]),
			],
			{ page: 'browser' },
		),
		'/steps/1/config/steps/0/config/steps/0 opens a page inside a scroll loop, which cannot go on',
	],
	noList: [
		task('l', [loop({ loopType: 'count', times: 1 }, [step('navigate', { useLoopItem: true })])]),
		'/steps/0/config/steps/0/config/useLoopItem needs a list loop around its step',
	],
	almostUuid: [
		{ ...good, taskID: '12345678-1234-1234-1234-123456789012' },
		'/taskID must be a UUID (8-4-4-4-12 hexadecimal digits; the third group begins with 1 to 8, the fourth with 8, 9, a or b), but is "12345678-1234-1234-1234-123456789012"',
	],
	urlAndItem: [
		task('o', [
			loop({ loopType: 'list', listType: 'urlList', urls: ['http://127.0.0.1/'] }, [
				step('navigate', { url: 'http://127.0.0.1/', useLoopItem: true }),
			]),
		]),
		'/steps/0/config/steps/0/config/url cannot be beside useLoopItem: leave one of them out',
	],
	falseItem: [
		task('p', [step('navigate', { useLoopItem: false })]),
		'/steps/0/config/useLoopItem must be true, but is false',
	],
	clickedText: [
		task('q', [
			loop({ loopType: 'list', listType: 'textList', texts: ['a'] }, [
				step('click', { useLoopItem: true }),
			]),
		]),
		'/steps/0/config/steps/0/config/useLoopItem needs a loop over elements around its step',
	],
	textInElements: [
		task('t', [
			loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
				loop({ loopType: 'list', listType: 'textList', texts: ['a'] }, [
					step('click', { useLoopItem: true }),
				]),
			]),
		]),
		'/steps/0/config/steps/0/config/steps/0/config/useLoopItem needs a loop over elements around its step',
	],
	siteInside: [
		task('r', [step('navigate', { url: 'x{site}/' })]),
		'/steps/0/config/url must be an http or https URL',
	],
	sameStep: [task('m', [navigate, navigate]), `/steps/1/id "${navigate.id}" is the id of another`],
	sameField: [
		task('n', [navigate, rows, { ...rows, id: uuidOf('other') }]),
		`/steps/2/config/fields/0/id "${uuidOf('undefined Name')}" is the id of another field already`,
	],
	noFieldName: [
		task('s', [navigate, extract({ '': 'h1' })]),
		'/steps/1/config/fields/0/name must not be empty, but is ""',
	],
	latin1: [
		Buffer.from(JSON.stringify(task('Müller', [navigate])), 'latin1'),
		'It is not UTF-8: save it in that encoding',
	],
	zGoodAgain: [good, `/taskID "${good.taskID}" is the id of the task in `],
};

/** Signs that are none of CSS may stand in strings, values and escapes. */
const unusual = task('unusual', [
	navigate,
	extract({
		A: 'li[title="a/b..c"]',
		B: '[href^="/docs/.."] > a[title="..;"]',
		C: '.w-1\\/2 a /* why */',
		D: '> a:not([href="#"])',
	}),
]);

let service: RunningService;

beforeAll(async () => {
	const broken = `${JSON.stringify(task('broken', []))},`;
	const withSchema = { $schema: '../task.schema.json', ...task('with schema', [navigate, rows]) };
	const tasks: Record<string, unknown> = {
		good,
		broken,
		withSchema,
		unusual,
		marked: `\uFEFF${JSON.stringify(marked)}`,
	};
	for (const [name, [content]] of Object.entries(bad)) tasks[name] = content;
	service = await startService({ tasks });
});

afterAll(() => service?.stop());

test.each(Object.entries(bad))('names the mistake in %s.json', (name, [, message]) => {
	const lines = service.log.filter(({ file }) => String(file).endsWith(`/${name}.json`));
	expect(lines).toHaveLength(1);
	expect(lines[0]?.msg).toBe('bad task file');
	expect(String(lines[0]?.reason).slice(0, message.length)).toBe(message);
});

test('names the other file of a task that is there twice', () => {
	const line = service.log.find(({ file }) => String(file).endsWith('/zGoodAgain.json'));
	expect(line?.reason).toMatch(/ is the id of the task in .+\/good\.json already$/);
});

test.each([
	['whose file is no JSON', uuidOf('broken'), 'broken.json'],
	['with a mistake', uuidOf('b'), '/steps/0/type must be "navigate"'],
])('says what is wrong when a task %s is asked for', async (_what, taskID, mistake) => {
	const client = cloudClient(service);
	const body = { taskID: taskID.toUpperCase(), nodeCount: 1, jobCount: 1 };
	const query = { taskID, page: 1, size: 1, orderBy: 0 };
	for (const answer of [
		await client.call('/cloud/start', { body }),
		await client.call('/cloud/stop', { body: { taskID } }),
		await client.call('/cloud/batches', { query }),
	]) {
		expect(answer).toMatchObject({ httpStatus: 409, code: 9000002 });
		expect(answer.msg).toContain(mistake);
	}
});

test('a task whose file is good is found though another file has its id', async () => {
	const { total } = (await cloudClient(service).batches(good.taskID.toUpperCase())).pagination;
	expect(total).toBe(0);
});

test('loads the others', async () => {
	for (const { taskID } of [good, marked, unusual, task('with schema', [])]) {
		const { total } = (await cloudClient(service).batches(taskID)).pagination;
		expect(total).toBe(0);
	}
	expect(service.log).toContainEqual(expect.objectContaining({ msg: 'tasks loaded', tasks: 4 }));
});
