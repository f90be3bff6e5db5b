import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { startSite, type Site } from '../../support/service/startSite';
import { closeNotices, openEditor } from './editor';
import { executeNode, openNode, outputTable } from './nodeView';
import { takeNodePicture } from './picture';
import { usePictureStage } from './pictureStage';

/** Where Debian's package sqlite3-doc puts what www.sqlite.org shows. */
const documentation = '/usr/share/doc/sqlite3';
const examples = join(__dirname, '..', '..', '..', 'service', 'examples');
const releases = readFileSync(join(examples, 'sqlite-releases.json'), 'utf8');
const { taskID, steps } = JSON.parse(releases) as { taskID: string; steps: { id: string }[] };

describe('the picture of the example of a task', () => {
	const { credential, stage, open } = usePictureStage({ releases });
	let site: Site;

	beforeAll(async () => {
		site = await startSite(async ({ url }) => {
			const body = await readFile(join(documentation, url.pathname)).catch(() => undefined);
			return body ? { body } : { status: 404 };
		});
	});

	afterAll(() => site?.stop());

	it('the rows of list and detail', async () => {
		const editor = await openEditor(stage.n8n, { theme: 'light' });
		const { page } = editor;
		const node = cloudScraping('Cloud Scraping', credential().id, {
			operation: 'runAndGetData',
			taskId: taskID,
			limit: 20,
			actionParams: { navigate: [{ id: steps[0]?.id, url: `${site.baseUrl}/chronology.html` }] },
			// The changes are long texts, of which a picture would show one.
			options: { pollInterval: 1, fields: ['Date', 'Version', 'Source ID'] },
		});
		await open(editor, chain({ ...node, credentials: { cloudScrapingApi: credential() } }));
		await openNode(page, 'Cloud Scraping');
		await executeNode(page);
		await outputTable(page);
		await closeNotices(page);
		await takeNodePicture(page, 'example-scraped-rows');
		await editor.stop();
	});
});
