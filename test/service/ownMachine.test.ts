import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres/startPostgres';
import { describeWithPostgres } from '../support/postgres/withPostgres';
import { brokenBrowser, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startAgents } from '../support/service/startAgents';
import { startService } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

describeWithPostgres('what one machine lacks', () => {
	testWithBrowser(
		'costs no page: another one goes on, and it takes work again once that is there',
		async () => {
			const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-browser-'));
			const { executable, mend } = await brokenBrowser(folder);
			const postgres = await startPostgres();
			const site = await startSite(({ url }) => `<p>${url.pathname}</p>`);
			const paths = ['/0', '/1', '/2', '/3'];
			const urls = paths.map((path) => `${site.baseUrl}${path}`);
			const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
				step('navigate', { useLoopItem: true }),
				extract({ Text: {} }, 'p'),
			]);
			const env = { SERVICE_DATABASE: postgres.newDatabase() };
			const service = await startService({
				env: { ...env, SERVICE_AGENTS: '0' },
				tasks: { list: task('list', [list], { page: 'browser', tries: 1 }) },
			});
			const client = cloudClient(service);
			const broken = await startAgents({ ...env, SERVICE_BROWSER: executable });

			const batch = await client.start(uuidOf('list'), { nodeCount: 2, jobCount: 2 });
			await broken.logged({ msg: 'job left', reason: 'The browser did not start.' });
			const other = await startAgents(env);
			const ended = await client.waitFor(batch, ({ status }) => status >= 3);
			expect(await client.rowsOf(ended)).toEqual(paths.map((path) => ({ Text: path })));
			other.kill('SIGTERM');
			await other.ended;
			await mend();
			await broken.logged({ msg: 'pages can be opened here again' });
			const { rows } = await client.run(uuidOf('list'));
			expect(rows).toHaveLength(paths.length);

			expect(site.requests).toHaveLength(2 * paths.length);
			await broken.stop();
			await Promise.all([service.stop(), site.stop(), postgres.stop()]);
			await rm(folder, { recursive: true });
		},
	);
});
