import { textAt, type JsonObject } from '../../../playground/json.ts';
import { rowsInFiles } from '../../support/n8n/rowsInFiles';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { testWithBrowser } from '../../support/service/browser';
import { startService } from '../../support/service/startService';
import {
	expectedHits,
	expectedReleases,
	expectedSections,
	letters,
	lettersOf,
} from './expectedRows';
import { startBooks, type Books } from './newUserTasks';

const openReleases = {
	id: '4b46fc52-a5d7-4b43-89d0-39c5f22db91e',
	taskId: 'c3e087ee-71b4-43d1-a376-69009f259220',
};
const sectionsTask = 'deb1a000-0000-4000-8000-000000000003';
const searchTask = 'deb1a000-0000-4000-8000-000000000004';
const runWithinMs = 180_000;

// Task files as a new user writes them from docs/tasks.md, on books that nobody here wrote; the rows are
// those of the CSV files that a real n8n gives out.

describe('tasks of a new user, from their pages to the CSV files of a real n8n', () => {
	let books: Books;
	const stage = useStage(async () => {
		books = await startBooks();
		return await startService({ tasks: books.tasks });
	});

	afterAll(() => books?.site.stop());

	async function csvOf(taskId: string, parameters: JsonObject = {}): Promise<unknown[]> {
		const run = cloudScraping('Run', stage.credential, {
			operation: 'runAndGetData',
			taskId,
			...parameters,
			returnAll: true,
			output: 'file',
			options: { pollInterval: 1 },
		});
		const execution = await stage.n8n.runWorkflow(chain(run));
		expect(execution.error).toBeUndefined();
		return await rowsInFiles(stage.n8n.api, execution, 'Run');
	}

	it(
		'the example of list and detail: each release of SQLite, with what its own page says',
		async () => {
			const expected = expectedReleases(books.releases);
			expect(expected.length).toBeGreaterThan(200);
			const rows = await csvOf(openReleases.taskId, {
				actionParams: { navigate: [{ id: openReleases.id, url: books.releases }] },
			});
			expect(rows).toEqual(expected);
			expect(rows.filter((row) => textAt(row, 'Changes') === '')).toEqual([]);
		},
		runWithinMs,
	);

	it('pages of "next": each section of the Debian policy, in the order of the book', async () => {
		const expected = expectedSections(books.policy);
		expect(expected.length).toBeGreaterThan(200);
		expect(await csvOf(sectionsTask)).toEqual(expected);
	}, 60_000);

	testWithBrowser(
		'a search that a script makes: what its index says, with a piece of each page',
		async () => {
			const rows = await csvOf(searchTask);
			const withoutContext = rows.map(hitOf);
			expect(withoutContext.sort(byLink)).toEqual(expectedHits(books.policy).sort(byLink));
			for (const row of rows) {
				const context = letters(textAt(row, 'Context'));
				expect(context.length).toBeGreaterThan(50);
				expect(lettersOf(textAt(row, 'Link'))).toContain(context);
			}
		},
		runWithinMs,
	);
});

interface Hit {
	Word: string;
	Title: string;
	Link: string;
	Asked: string;
	Book: string;
}

/** All columns of a row but its context, which a script cuts out of the page. */
function hitOf(row: unknown): Hit {
	return {
		Word: textAt(row, 'Word'),
		Title: textAt(row, 'Title'),
		Link: textAt(row, 'Link'),
		Asked: textAt(row, 'Asked'),
		Book: textAt(row, 'Book'),
	};
}

/** The order of the hits of a word is the script's own affair. */
function byLink(one: Hit, other: Hit): number {
	return `${one.Word} ${one.Link}` < `${other.Word} ${other.Link}` ? -1 : 1;
}
