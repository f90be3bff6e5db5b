import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../playground/ports.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, pageKinds, step, task, uuidOf } from '../../support/service/taskFiles';

jest.setTimeout(120_000);

// A proxy that nobody here wrote, in a process of its own.

let folder: string;
let site: Site;
let proxy: ChildProcess;
let port: number;
let service: RunningService;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-tinyproxy-'));
	site = await startSite(({ headers }) => `<p>${String(headers.via)}</p>`);
	port = await freePort();
	proxy = await startTinyproxy(port, folder);
	const steps = [step('navigate', { url: `${site.baseUrl}/page` }), extract({ Via: 'p' })];
	const tasks: Record<string, unknown> = {};
	for (const page of pageKinds) {
		for (const password of ['secret', 'wrong']) {
			const settings = { page, proxy: `http://me:${password}@127.0.0.1:${port}` };
			tasks[`${password} ${page}`] = task(`${password} ${page}`, steps, settings);
		}
	}
	service = await startService({ tasks });
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
	proxy?.kill();
	await rm(folder, { recursive: true });
});

describe.each(pageKinds)('on pages of kind %s', (page) => {
	test('pages come through tinyproxy, with a password', async () => {
		const { rows } = await cloudClient(service).run(uuidOf(`secret ${page}`));
		expect(rows).toEqual([{ Via: expect.stringContaining('tinyproxy') as string }]);
	});

	test('a wrong password is a failure that names the proxy, and not the password', async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(`wrong ${page}`));
		expect(rows).toEqual([]);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		const said = service.log.filter(({ batchID }) => batchID === batch.batchID);
		const [failed] = said.filter(({ msg }) => String(msg).startsWith('page failed'));
		expect(failed?.reason).toContain(`the proxy 127.0.0.1:${port}`);
		expect(JSON.stringify(said)).not.toContain('wrong@');
	});
});

/** Starts tinyproxy, which asks for the password "secret" of "me", and waits until it listens. */
async function startTinyproxy(listensAt: number, within: string): Promise<ChildProcess> {
	const settings = join(within, 'tinyproxy.conf');
	const lines = [
		`Port ${listensAt}`,
		'Listen 127.0.0.1',
		'Allow 127.0.0.1',
		'BasicAuth me secret',
		'ViaProxyName "tinyproxy"',
		`LogFile "${join(within, 'tinyproxy.log')}"`,
	];
	await writeFile(settings, `${lines.join('\n')}\n`);
	const started = spawn('tinyproxy', ['-d', '-c', settings], { stdio: 'ignore' });
	for (let waited = 0; waited < 10_000; waited += 50) {
		if (await accepts(listensAt)) return started;
		await sleep(50);
	}
	started.kill();
	throw new Error('tinyproxy does not listen.');
}

function accepts(listensAt: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(listensAt, '127.0.0.1');
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}
