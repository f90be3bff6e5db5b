import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeDifference, differencesOn, type Difference } from './differences';
import { documentationPages, generators, type DocumentationPage } from './documentation';
import { addressOf, startDocumentationSite } from './documentationSite';
import { scrapedTexts } from './scrapedTexts';
import { shownTexts } from './shownTexts';

jest.setTimeout(1_800_000);

// Pages that nobody here wrote: the service's text of each element is what Chromium shows of it.

const kinds = [
	{ page: 'http', dress: 'bare', settled: 'load', title: 'without their styles and scripts' },
	{ page: 'browser', dress: 'whole', settled: 'networkidle', title: 'as they are' },
] as const;

/** Differences that the message of a failed test shows; all of them are in the folder. */
const maxShown = 20;
const folder = join(__dirname, '..', '..', '..', '.tmp', 'foreign');

interface Compared {
	texts: number;
	differences: Difference[];
}

describe.each(kinds)(
	'$page pages: the same texts as Chromium shows $title',
	({ page, dress, settled }) => {
		const compared = new Map<string, Compared>();

		beforeAll(async () => {
			const pages = documentationPages();
			const site = await startDocumentationSite(dress);
			try {
				const addresses = pages.map(({ file }) => addressOf(site, file));
				const shown = await shownTexts(addresses, settled);
				const scraped = await scrapedTexts(page, addresses);
				for (const [index, { file, generator }] of pages.entries()) {
					const texts = shown[index] ?? [];
					const differences = differencesOn(file, texts, scraped[index] ?? { texts: [] });
					add(generator, { texts: texts.length, differences });
				}
			} finally {
				await site.stop();
			}
			const all = [...compared.values()].flatMap(({ differences }) => differences);
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, `${page}.txt`), all.map(describeDifference).join('\n'));
		});

		function add(
			generator: DocumentationPage['generator'],
			{ texts, differences }: Compared,
		): void {
			const before = compared.get(generator) ?? { texts: 0, differences: [] };
			compared.set(generator, {
				texts: before.texts + texts,
				differences: [...before.differences, ...differences],
			});
		}

		test.each(generators)('made by %s', (generator) => {
			const { texts, differences } = compared.get(generator) ?? { texts: 0, differences: [] };
			expect(texts).toBeGreaterThan(500);
			if (differences.length === 0) return;
			const examples = differences.slice(0, maxShown).map(describeDifference).join('\n');
			throw new Error(
				`${differences.length} of ${texts} texts differ; all are in .tmp/foreign/${page}.txt\n${examples}`,
			);
		});
	},
);
