import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openScraping } from '../../service/src/runs/scraping.ts';
import { stopRunOf } from '../../service/src/runs/runs.ts';
import { status } from '../../service/src/store/batch.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import { TaskFiles } from '../../service/src/tasks/taskFiles.ts';
import { cloudClient } from '../support/service/cloudClient';
import { startProcess } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { newBatch } from './stores/newBatch';

// Requests that a process takes up long after they were sent, when others may have asked elsewhere.

const taskID = uuidOf('held up');

test('a start that its client has given up while the process was frozen starts nothing', async () => {
	const site = await startSite(() => '<p>row</p>');
	const steps = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
	const service = await startProcess({ tasks: { held: task('held up', steps) } });
	const client = cloudClient(service);
	const start = (signal: AbortSignal) =>
		fetch(`${service.baseUrl}/cloud/start`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${service.apiKey}`,
				'x-cp-request-id': uuidOf('request'),
				'content-type': 'application/json',
			},
			body: JSON.stringify({ taskID, nodeCount: 1, jobCount: 1 }),
			signal,
		});
	service.process.kill('SIGSTOP');
	const waits = start(AbortSignal.timeout(60_000));
	await expect(start(AbortSignal.timeout(500))).rejects.toThrow();
	service.process.kill('SIGCONT');
	expect((await waits).status).toBe(200);
	await service.logged({ msg: 'request refused', reason: givenUp });
	expect((await client.batches(taskID)).list).toHaveLength(1);
	await service.stop();
	await site.stop();
});

const givenUp = 'The client has hung up before the task was started: nothing was started.';

test('a stop that came before a batch does not stop that', async () => {
	const log = pino({ level: 'silent' });
	const store = openTemporaryStore({ log });
	const onStoreFailure = (error: unknown) => expect(error).toBeUndefined();
	const scraping = openScraping(store, { browser: undefined, agents: 0, log, onStoreFailure });
	const parts = { ...store, ...scraping, tasks: new TaskFiles('/nowhere') };
	const create = () => scraping.batches.create(newBatch({ taskID }));
	const older = await create();
	await sleep(300);
	const came = performance.now();
	await sleep(300);
	const newer = await create();
	const is = async (batch: { id: bigint }) => (await scraping.batches.get(batch.id)).status;
	expect(await stopRunOf(parts, taskID, came)).toMatchObject({ id: older.id });
	await expect(stopRunOf(parts, taskID, came)).rejects.toThrow('no waiting or running batch');
	expect([await is(older), await is(newer)]).toEqual([status.stopped, status.waiting]);
	const stopped = await stopRunOf(parts, taskID, performance.now());
	expect(stopped).toMatchObject({ id: newer.id, status: status.stopped });
	await scraping.close();
	await store.close();
});
