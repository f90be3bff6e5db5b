import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../playground/json.ts';
import { faqFolder, faqTasks, startDebianFaq } from '../service/debian-doc/debianFaq';
import { useStage } from '../support/n8n/stage';
import { chain, cloudScraping } from '../support/n8n/workflow';
import { startService } from '../support/service/startService';
import type { Site } from '../support/service/startSite';
import { plainText } from '../support/service/plainText';

/** A site that nobody here wrote, scraped by the service and read in a real n8n. */
describe('the Debian FAQ in a real n8n', () => {
	let site: Site | undefined;
	const stage = useStage(async () => {
		const faq = await startDebianFaq();
		site = faq.site;
		return await startService({ tasks: faq.tasks });
	});

	afterAll(() => site?.stop());

	async function rowsOf(taskId: string): Promise<JsonObject[]> {
		const run = cloudScraping('Run', stage.credential, {
			operation: 'runAndGetData',
			taskId,
			returnAll: true,
			options: { pollInterval: 1 },
		});
		const { error, runs } = await stage.n8n.runWorkflow(chain(run));
		expect(error).toBeUndefined();
		return runs.Run[0].items;
	}

	it('comes out as its table of contents, entry by entry', async () => {
		const entries = [...faqPage('index.en.html').matchAll(/<dt>.*?<a href="(.*?)">(.*?)<\/a>/g)];
		expect(entries.length).toBeGreaterThan(100);
		expect(await rowsOf(faqTasks.contents)).toEqual(
			entries.map(([, href, title]) => ({
				Title: plainText(title),
				Address: `${site?.baseUrl}/${href}`,
			})),
		);
	});

	it('comes out as the sections of all chapters, in the order of the book', async () => {
		const headings = chapters().flatMap((chapter) => [
			...chapter.matchAll(
				/<div class="section">.*?<h\d class="title"><a id="([^"]*)"><\/a>(.*?)<\/h\d>/gs,
			),
		]);
		expect(headings.length).toBeGreaterThan(100);
		const rows = await rowsOf(faqTasks.sections);
		expect(rows.map(({ Title, Anchor }) => ({ Title, Anchor }))).toEqual(
			headings.map(([, Anchor, title]) => ({ Title: plainText(title), Anchor })),
		);
		expect(rows[1]['First paragraph']).toMatch(/^Debian GNU\/Linux is a particular/);
	});
});

/** The chapters' HTML in reading order, from link to link. */
function chapters(): string[] {
	const found: string[] = [];
	let html = faqPage('index.en.html');
	for (;;) {
		const next = /<a accesskey="n" href="([^"]*)"/.exec(html)?.[1];
		if (next === undefined) return found;
		html = faqPage(next);
		found.push(html);
	}
}

function faqPage(name: string): string {
	return readFileSync(join(faqFolder, name), 'utf8');
}
