import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';

const texts = Array.from({ length: 2_000 }, (_, number) => `row ${number}`);

describeWithPostgres('two processes that answer, on one PostgreSQL', () => {
	let postgres: Postgres;
	let site: Site;
	let services: RunningService[];

	beforeAll(async () => {
		postgres = await startPostgres();
		site = await startSite(() => texts.map((text) => `<p>${text}</p>`).join(''));
		const opened = [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')];
		const env = { SERVICE_DATABASE: postgres.newDatabase() };
		const tasks = { list: task('list', opened) };
		services = [await startService({ env, tasks }), await startService({ env, tasks })];
	});
	afterAll(async () => {
		await Promise.all(services.map((service) => service.stop()));
		await site.stop();
		await postgres.stop();
	});

	test('return each row once for a deduplication ID that is used at both at once', async () => {
		const clients = services.map(cloudClient);
		const { batch } = await clients[0].run(uuidOf('list'));
		for (let turn = 0; turn < 20; turn += 1) {
			const query = { deduplication: true, deduplicationID: `turn ${turn}` };
			// Whole batches from both at once, and the same pages of it.
			const answers = await Promise.all(
				[500, 500, 1_000, 300].flatMap((size) =>
					clients.flatMap((client) =>
						Array.from({ length: Math.ceil(texts.length / size) }, (_, page) =>
							client.data(batch.batchID, { ...query, size, page: page + 1 }),
						),
					),
				),
			);
			const rows = answers.flatMap(({ list }) => list);
			const found = rows.flatMap((row) => Object.values(JSON.parse(row) as Record<string, string>));
			expect(found.sort()).toEqual([...texts].sort());
		}
	});
});
