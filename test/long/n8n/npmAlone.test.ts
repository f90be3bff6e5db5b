import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../playground/ports.ts';
import { isRunning, npmStart } from '../../support/n8n/playgroundProcess';

it('npm start leaves nothing behind when npm alone is told to end', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-playground-'));
	const playground = npmStart({
		folder,
		n8nPort: await freePort(),
		servicePort: await freePort(),
	});
	expect(await playground.opened()).toContain('rows came out of n8n');
	const children = playground.children();
	expect(children.filter(isRunning)).toHaveLength(2);
	await playground.terminate();
	expect(children.filter(isRunning)).toEqual([]);
	rmSync(folder, { recursive: true, force: true });
}, 300_000);
