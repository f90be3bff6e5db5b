import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cloudClient } from '../support/service/cloudClient';
import { startService } from '../support/inProcess/startService';

const taskID = '44444444-4444-4444-8444-444444444444';

/** Moves the last use of every deduplicationID into the past, in the database of a service at rest. */
function age(folder: string, minutes: number): void {
	const database = new DatabaseSync(join(folder, 'service.db'));
	database.prepare('UPDATE deduplications SET last_use = last_use - ?').run(minutes * 60_000);
	database.close();
}

test('8 a deduplicationID expires one hour after the last request that used it', async () => {
	const first = await startService();
	const { batch } = await cloudClient(first).run(taskID);
	const query = { deduplication: true, deduplicationID: 'a sequence' };
	expect((await cloudClient(first).data(batch.batchID, query)).list).toHaveLength(12);
	await first.end();

	// Each request begins the hour anew.
	let running = first;
	for (const minutes of [59, 59]) {
		age(first.folder, minutes);
		running = await startService({ folder: first.folder });
		expect((await cloudClient(running).data(batch.batchID, query)).list).toEqual([]);
		await running.end();
	}
	age(first.folder, 61);
	running = await startService({ folder: first.folder });
	expect((await cloudClient(running).data(batch.batchID, query)).list).toHaveLength(12);
	await running.stop();
});
