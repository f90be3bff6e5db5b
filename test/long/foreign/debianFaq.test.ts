import type { JsonObject } from '../../../playground/json.ts';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { cloudClient } from '../../support/service/cloudClient';
import { plainText } from '../../support/service/plainText';
import { startService } from '../../support/service/startService';
import type { Site } from '../../support/service/startSite';
import { faqPage, faqTasks, startDebianFaq } from './debianFaq';

// A book that nobody here wrote, scraped by the service and read in a real n8n. What is expected is
// read from its files without any HTML parser, so that the service's one has a second opinion.

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
		const contents = await faqPage('index.en.html');
		const entries = [...contents.matchAll(/<dt>.*?<a href="(.*?)">(.*?)<\/a>/g)];
		expect(entries.length).toBeGreaterThan(100);
		expect(await rowsOf(faqTasks.contents)).toEqual(
			entries.map(([, href, title]) => ({
				Title: plainText(title),
				Address: `${site?.baseUrl}/${href}`,
			})),
		);
	});

	it('comes out as every section of every chapter, in the order of the book', async () => {
		const expected = (await chapters()).flatMap(sectionsOf);
		expect(expected.length).toBeGreaterThan(100);
		const rows = await rowsOf(faqTasks.sections);
		expect(rows).toEqual(expected);
		expect(rows[1]['First paragraph']).toMatch(/^Debian GNU\/Linux is a particular/);
		const { list } = await cloudClient(stage.service).batches(faqTasks.sections);
		expect(list).toEqual([expect.objectContaining({ status: 3, lineCount: expected.length })]);
	});
});

/** The chapters' HTML in reading order, from link to link. */
async function chapters(): Promise<string[]> {
	const found: string[] = [];
	let html = await faqPage('index.en.html');
	for (;;) {
		const next = /<a accesskey="n" href="([^"]*)"/.exec(html)?.[1];
		if (next === undefined) return found;
		html = await faqPage(next);
		found.push(html);
	}
}

function sectionsOf(chapter: string) {
	const sections = chapter.split('<div class="section">').slice(1);
	return sections.map((section, index) => {
		const title = /<h\d class="title"><a id="([^"]*)"><\/a>(.*?)<\/h\d>/s.exec(section);
		// The first paragraph may come in a section inside of this one.
		const rest = sections.slice(index).join('');
		return {
			Title: plainText(title?.[2] ?? ''),
			Anchor: title?.[1],
			'First paragraph': plainText(/<p>(.*?)<\/p>/s.exec(rest)?.[1] ?? ''),
		};
	});
}
