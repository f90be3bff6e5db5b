import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { runTrial } from '../../service/src/runs/trial.ts';
import { listing } from '../../service/src/site/products.ts';
import { shop } from '../../service/src/site/shop.ts';
import { valuesOf } from '../../service/src/store/row.ts';
import { readTaskFile } from '../../service/src/tasks/readTaskFile.ts';
import { columnsOf, type Task } from '../../service/src/tasks/task.ts';
import { taskFileSchema } from '../../service/src/tasks/taskFileSchema.ts';
import { testWithBrowser } from '../support/service/browser';
import { taskExamples, type TaskExample } from '../support/service/taskPage';

// docs/tasks.md shows what each step and field does, by tasks and the rows that come of them.

const server = Fastify();
let site: string;
let folder: string;

beforeAll(async () => {
	await server.register(shop);
	site = await server.listen({ host: '127.0.0.1', port: 0 });
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-examples-'));
});

afterAll(async () => {
	await server.close();
	await rm(folder, { recursive: true });
});

const inBrowser = ({ file }: TaskExample) => file.includes('"page": "browser"');

const bringsItsRows = async (example: TaskExample) => {
	const task = await read(example.file);
	expect(example.rows).not.toEqual([]);
	const rows = await rowsOf(task, example.rows.length);
	expect(rows.map(asOnThePage)).toEqual(example.rows.map(asOnThePage));
};

test.each(taskExamples.filter((example) => !inBrowser(example)))(
	'the example under "$title" brings the rows below it',
	bringsItsRows,
);

testWithBrowser.each(taskExamples.filter(inBrowser))(
	'the example under "$title" brings the rows below it, in a browser',
	bringsItsRows,
);

const ofWholeLists = taskExamples.filter(({ title }) => /^(Load more|Page by page)/.test(title));

testWithBrowser.each(ofWholeLists)(
	'the example under "$title" reads all entries once',
	async ({ file }) => {
		const rows = await rowsOf(await read(file), 2 * listing.length);
		expect(ofWholeLists).toHaveLength(2);
		expect(rows.map((row) => (JSON.parse(row) as { Name: string }).Name)).toEqual(
			listing.map(({ name }) => name),
		);
	},
);

test('each type of step and loop, and each thing that a step or field can say, has an example', () => {
	const said = taskExamples.map(({ file }) => file).join('\n');
	const missing = wordsOf(taskFileSchema()).filter((word) => !said.includes(`"${word}"`));
	expect(missing).toEqual(notInSteps);
});

/** What a task says beside its steps: a table of the page has that. */
const notInSteps = [
	'requestsPerHost',
	'respectRobots',
	'userAgent',
	'headers',
	'proxy',
	'timeout',
	'tries',
	'id',
];

async function read(text: string): Promise<Task> {
	const file = join(folder, 'task.json');
	await writeFile(file, text);
	const found = await readTaskFile(file);
	if (!found?.task) throw new Error(`This example is no task: ${found?.mistake}`);
	return found.task;
}

/** The first rows of a task, by the names of its columns. */
async function rowsOf(task: Task, rows: number): Promise<string[]> {
	const { signal } = new AbortController();
	const trial = await runTrial(task, { rows, signal, site });
	return trial.rows.slice(0, rows).map((row) => {
		const values = valuesOf(row);
		return JSON.stringify(
			Object.fromEntries(columnsOf(task).map(({ id, name }) => [name, values.get(id) ?? ''])),
		);
	});
}

/** A row as it would be at the usual address, at any time. */
function asOnThePage(row: string): string {
	return JSON.stringify(JSON.parse(row))
		.replaceAll(site, 'http://127.0.0.1:8787')
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now');
}

/** The names of properties, and the words that one of them may be, as far down as the schema goes. */
function wordsOf(schema: unknown): string[] {
	const words = new Set<string>();
	const look = (part: unknown): void => {
		if (typeof part !== 'object' || part === null) return;
		for (const [key, inside] of Object.entries(part)) {
			if (key === 'properties') Object.keys(inside as object).forEach((name) => words.add(name));
			if (key === 'enum' || key === 'const')
				[inside].flat().forEach((word) => words.add(String(word)));
			look(inside);
		}
	};
	look(schema);
	return [...words].filter((word) => !['true', 'false'].includes(word));
}
