import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { taskFileSchema } from '../../service/src/tasks/taskFileSchema.ts';
import { extract, loop, step, task } from '../support/service/taskFiles';
import { taskExamples } from '../support/service/taskPage';

const folder = join(__dirname, '..', '..', 'service');
const schemaText = readFileSync(join(folder, 'task.schema.json'), 'utf8');

/** What editors ask, VS Code among them. */
const editor = getLanguageService({
	workspaceContext: { resolveRelativePath: (path, resource) => new URL(path, resource).href },
	schemaRequestService: (uri) => readFile(fileURLToPath(uri), 'utf8'),
});
editor.configure({
	schemas: [{ fileMatch: ['*.json'], uri: 'schema', schema: JSON.parse(schemaText) as object }],
});

function opened(text: string) {
	const { href } = pathToFileURL(join(folder, 'tasks', 'task.json'));
	const document = TextDocument.create(href, 'json', 1, text);
	return { document, json: editor.parseJSONDocument(document) };
}

async function mistakesIn(text: string): Promise<string[]> {
	const { document, json } = opened(text);
	const found = await editor.doValidation(document, json);
	return found.map(({ message }) => (typeof message === 'string' ? message : message.value));
}

/** What is offered where | stands: its name, and its help. */
async function offeredAt(text: string) {
	const { document, json } = opened(text.replace('|', ''));
	const place = document.positionAt(text.indexOf('|'));
	const list = await editor.doComplete(document, place, json);
	return (list?.items ?? []).map(({ label, documentation }) => ({
		name: label.replaceAll('"', ''),
		help: documentation,
	}));
}

/** A task file with this in the place of its steps. */
const withSteps = (steps: string) =>
	`{ "taskID": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "name": "x", "page": "http", "steps": [${steps}] }`;

test('the file is what the code says (npm run schema)', () => {
	expect(JSON.parse(schemaText)).toEqual(JSON.parse(JSON.stringify(taskFileSchema())));
});

test('everything that can be set has a description', () => {
	const missing: string[] = [];
	const look = (value: unknown, path: string): void => {
		if (typeof value !== 'object' || value === null) return;
		for (const [name, inside] of Object.entries(value)) {
			if (
				path.endsWith('/properties') &&
				!path.endsWith('/if/properties') &&
				!('description' in Object(inside))
			) {
				missing.push(`${path}/${name}`);
			}
			look(inside, `${path}/${name}`);
		}
	};
	look(JSON.parse(schemaText), '');
	expect(missing).toEqual([]);
});

const taskFiles = readdirSync(join(folder, 'tasks')).filter((name) => name.endsWith('.json'));

test.each(taskFiles)('%s has no mistake', async (name) => {
	expect(await mistakesIn(readFileSync(join(folder, 'tasks', name), 'utf8'))).toEqual([]);
});

test.each(taskExamples)(
	'the example under "$title" in docs/tasks.md has no mistake',
	async ({ file }) => {
		expect(await mistakesIn(file)).toEqual([]);
	},
);

const rows = extract({ Name: 'h1' });

test.each([
	[
		'a step type that there is not',
		task('a', [step('fly', {})]),
		[/valid values: "navigate", "inputText", "click", "wait", "loop", "extractData"/i],
	],
	['no taskID', { ...task('a', [rows]), taskID: undefined }, [/Missing property "taskID"/]],
	[
		'a taskID that is no UUID',
		{ ...task('a', [rows]), taskID: 'x' },
		[/does not match the pattern/],
	],
	['a setting that is not known', task('a', [rows], { color: 'red' }), [/color is not allowed/]],
	['no url', task('a', [step('navigate', {})]), [/Missing property "url"/]],
	['no times', task('a', [loop({ loopType: 'count' }, [rows])]), [/Missing property "times"/]],
	[
		'a loop type that there is not',
		task('a', [loop({ loopType: 'spiral' }, [rows])]),
		[/"count", "list", "page", "scroll"/],
	],
	[
		'a list type that there is not',
		task('a', [loop({ loopType: 'list', listType: 'x' }, [rows])]),
		[/"urlList", "textList", "elements"/],
	],
])('an editor marks %s', async (_what, file, messages) => {
	const found = await mistakesIn(JSON.stringify(file));
	expect(found).toHaveLength(messages.length);
	messages.forEach((message, index) => expect(found[index]).toMatch(message));
});

const inLoop = (config: string) => withSteps(`{ "type": "loop", "config": { ${config} } }`);
const inRows = (field: string) =>
	withSteps(`{ "type": "extractData", "config": { "fields": [{ ${field} }] } }`);
const types = ['navigate', 'inputText', 'click', 'wait', 'loop', 'extractData'];

test.each([
	['kinds of pages', '{ "page": | }', ['http', 'browser']],
	['keys of a step', withSteps('{ | }'), ['type', 'id', 'name']],
	['types of steps', withSteps('{ "type": | }'), types],
	['types of steps in a loop', inLoop('"loopType": "count", "steps": [{ "type": | }]'), types],
	[
		'keys of navigate',
		withSteps('{ "type": "navigate", "config": { | } }'),
		['url', 'useLoopItem'],
	],
	[
		'keys of inputText',
		withSteps('{ "type": "inputText", "config": { | } }'),
		['selector', 'text', 'submit', 'useLoopItem'],
	],
	[
		'keys of click',
		withSteps('{ "type": "click", "config": { | } }'),
		['selector', 'waitFor', 'useLoopItem'],
	],
	['keys of wait', withSteps('{ "type": "wait", "config": { | } }'), ['milliseconds', 'selector']],
	[
		'keys of extractData',
		withSteps('{ "type": "extractData", "config": { | } }'),
		['selector', 'fields', 'emit'],
	],
	['types of loops', inLoop('"loopType": |'), ['count', 'list', 'page', 'scroll']],
	[
		'types of lists',
		inLoop('"loopType": "list", "listType": |'),
		['urlList', 'textList', 'elements'],
	],
	['keys of a loop by count', inLoop('"loopType": "count", |'), ['times', 'steps']],
	[
		'keys of a loop by page',
		inLoop('"loopType": "page", |'),
		['says', 'selector', 'steps', 'timesMode'],
	],
	[
		'keys of a loop by page, so many times',
		inLoop('"loopType": "page", "timesMode": "custom", |'),
		['says', 'selector', 'steps', 'times'],
	],
	[
		'keys of a constant',
		inRows('"source": "constant", |'),
		['id', 'name', 'match', 'default', 'value'],
	],
	[
		'keys of a loop over URLs',
		inLoop('"loopType": "list", "listType": "urlList", |'),
		['urls', 'steps'],
	],
	[
		'keys of a field',
		inRows('"name": "Link", |'),
		['selector', 'attribute', 'picture', 'html', 'all', 'trim', 'match', 'default', 'source', 'id'],
	],
	[
		'sources of a field',
		inRows('"name": "Link", "source": |'),
		['element', 'loopItem', 'pageUrl', 'time', 'constant'],
	],
])('an editor offers %s, with help', async (_what, text, names) => {
	const offered = await offeredAt(text);
	expect(offered.map(({ name }) => name).sort()).toEqual([...names].sort());
	for (const { help } of offered) expect(help).toEqual(expect.stringMatching(/./));
});
