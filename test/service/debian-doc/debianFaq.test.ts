import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { plainText } from '../../support/service/plainText';
import { faqFolder, faqTasks, startDebianFaq, type DebianFaq } from './debianFaq';

jest.setTimeout(60_000);

let faq: DebianFaq;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	faq = await startDebianFaq();
	service = await startService({ tasks: faq.tasks });
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await faq?.site.stop();
});

// The files are read here without any HTML parser, so that the service's one has a second opinion.

const page = (name: string) => readFile(join(faqFolder, name), 'utf8');

/** The chapters' files in reading order, from link to link. */
async function chapters(): Promise<string[]> {
	const names = [];
	let name: string | undefined = 'index.en.html';
	while (name !== undefined) {
		names.push(name);
		name = /<a accesskey="n" href="([^"]*)"/.exec(await page(name))?.[1];
	}
	return names.slice(1);
}

test('scrapes the table of contents of the Debian FAQ, entry by entry', async () => {
	const { rows } = await client.run(faqTasks.contents);
	const entries = [...(await page('index.en.html')).matchAll(/<dt>.*?<a href="(.*?)">(.*?)<\/a>/g)];
	expect(rows.length).toBeGreaterThan(100);
	expect(rows).toEqual(
		entries.map(([, href, title]) => ({
			Title: plainText(title ?? ''),
			Address: `${faq.site.baseUrl}/${href}`,
		})),
	);
});

test('scrapes every section of every chapter of the Debian FAQ', async () => {
	const { batch, rows } = await client.run(faqTasks.sections);
	const expected = [];
	for (const name of await chapters()) {
		const sections = (await page(name)).split('<div class="section">').slice(1);
		for (const [index, section] of sections.entries()) {
			const title = /<h\d class="title"><a id="([^"]*)"><\/a>(.*?)<\/h\d>/s.exec(section);
			// The first paragraph may come in a section inside of this one.
			const rest = sections.slice(index).join('');
			expected.push({
				Title: plainText(title?.[2] ?? ''),
				Anchor: title?.[1],
				'First paragraph': plainText(/<p>(.*?)<\/p>/s.exec(rest)?.[1] ?? ''),
			});
		}
	}
	expect(rows.length).toBeGreaterThan(100);
	expect(rows).toEqual(expected);
	expect(batch).toMatchObject({ status: 3, lineCount: expected.length });
	expect(rows[1]?.['First paragraph']).toMatch(/^Debian GNU\/Linux is a particular/);
});
