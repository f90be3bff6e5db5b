import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskFolderOf } from '../../../../playground/taskFolder.ts';

describe('the tasks of a playground', () => {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-tasks-'));

	afterAll(() => rmSync(folder, { recursive: true }));

	it('are the demo tasks, unless its folder has some or a folder is named', () => {
		const demo = { path: join('root', 'service', 'tasks'), isOwn: false };
		expect(taskFolderOf('root', folder)).toEqual(demo);
		expect(taskFolderOf('root', join(folder, 'not there yet'), '')).toEqual(demo);
		const own = join(folder, 'tasks');
		mkdirSync(own);
		expect(taskFolderOf('root', folder)).toEqual({ path: own, isOwn: true });
		expect(taskFolderOf('root', folder, 'named')).toEqual({ path: 'named', isOwn: true });
	});
});
