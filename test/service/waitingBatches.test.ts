import { cloudClient, type Batch } from '../support/service/cloudClient';
import { sources, startProcess } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

/** MB of memory for what the service keeps; what its waiting batches are started with takes as much. */
const memory = 96;
const program = [`--max-old-space-size=${memory}`, sources];
const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'long '.repeat(20_000)}`);
const starts = Math.ceil((memory * 1_000_000) / JSON.stringify(texts).length);

test('what waits is read when it begins: in order, though there is no memory for all of it, also at a start', async () => {
	let isHeld = true;
	const site = await startSite(async () => {
		if (isHeld) await new Promise(() => {});
		return '<p>x</p>';
	});
	const steps = [
		step('navigate', { url: site.baseUrl }, 'open'),
		loop(
			{ loopType: 'list', listType: 'textList', texts: ['one'] },
			[extract({ Text: {} }, 'p')],
			'texts',
		),
	];
	const tasks = { large: task('large', steps), stopped: task('stopped', steps) };
	const first = await startProcess({ program, tasks, env: { SERVICE_AGENTS: '1' } });
	const start = (path: string, name = 'large') =>
		cloudClient(first).start(uuidOf(name), {
			actionParams: [
				{ id: uuidOf('open'), value: `${site.baseUrl}${path}` },
				{ id: uuidOf('texts'), value: texts },
			],
		});
	const paths = Array.from({ length: starts }, (_, index) => `/${index}`);
	const batches: Batch[] = [];
	for (const path of paths) batches.push(await start(path));
	const stopped = await start('/stopped', 'stopped');
	await cloudClient(first).stop(uuidOf('stopped'));
	await first.logged({ batchID: stopped.batchID, msg: 'batch stopped' });
	await first.kill();

	isHeld = false;
	const asked = site.requests.length;
	const { folder } = first;
	const again = await startProcess({ program, folder, env: { SERVICE_AGENTS: '1' } });
	const last = batches.at(-1);
	if (!last) throw new Error('Nothing was started.');
	const ended = await cloudClient(again).waitFor(last, ({ status }) => status >= 3);
	expect(ended).toMatchObject({ status: 3, lineCount: texts.length });
	expect(site.requests.slice(asked).map(({ url }) => url.pathname)).toEqual(paths);
	await again.stop();
	await site.stop();
});
