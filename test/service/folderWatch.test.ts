import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FolderWatch } from '../../service/src/tasks/folderWatch.ts';

test('a folder that comes while it is looked for, slowly, is listened to soon', async () => {
	const parent = await mkdtemp(join(tmpdir(), 'tmp-'));
	const folder = join(parent, 'tasks');
	const told = Promise.withResolvers<string[]>();
	let looks = 0;
	const watch = new FolderWatch(folder, async (names) => {
		looks += 1;
		if (names) told.resolve(names);
		// Ten times as long as this the whole folder is left alone, where changes are told of.
		else if (looks === 1) await mkdir(folder).then(() => sleep(3_000));
		else await writeFile(join(folder, 'first.json'), '{}');
	});
	expect(await told.promise).toEqual(['first.json']);
	await watch.close();
	await rm(parent, { recursive: true });
}, 20_000);
