import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { cloudClient } from '../../support/service/cloudClient';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { testControl } from '../../support/service/testControl';

describeWithPostgres('on PostgreSQL', () => {
	let postgres: Postgres;
	let site: Site;
	let service: RunningService;
	let database: string;

	beforeAll(async () => {
		postgres = await startPostgres();
		database = postgres.newDatabase();
		site = await startSite(() => '<p>1</p><p>2</p><p>3</p>');
		const open = step('navigate', { url: site.baseUrl });
		service = await startService({
			env: { SERVICE_TEST_CONTROL: 'true', SERVICE_DATABASE: database },
			tasks: { rows: task('rows', [open, extract({ Text: {} }, 'p')]) },
		});
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
		await postgres?.stop();
	});

	test('batches are seeded, runs end early, and all is forgotten', async () => {
		const client = cloudClient(service);
		const control = testControl(service);
		const taskID = uuidOf('rows');
		const fields = [{ id: 'n', name: 'Name' }];
		const said = { taskID, status: 4, captchaCount: 3, fields, rows: [{ n: 'Emma' }, { n: null }] };
		const [batchID = ''] = await control.seed(said);
		expect(await control.batch(batchID)).toMatchObject({ ...said, lineCount: 2 });
		expect((await client.data(batchID)).list).toEqual(['{"n":"Emma"}', '{"n":null}']);

		await control.setFaults({ run: { taskID, endAfterRows: 2, status: 3 } });
		expect((await client.run(taskID)).batch).toMatchObject({ status: 3, lineCount: 2 });
		expect((await client.run(taskID)).batch).toMatchObject({ status: 3, lineCount: 3 });

		await control.reset();
		expect((await client.batches(taskID)).pagination.total).toBe(0);
		expect((await client.run(taskID)).rows).toHaveLength(3);
	});

	test('a run that ends early stores no more rows, however long its end takes', async () => {
		const client = cloudClient(service);
		const control = testControl(service);
		const taskID = uuidOf('rows');
		postgres.run(
			[
				'CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$',
				'CREATE TRIGGER wait BEFORE UPDATE OF status ON cloud_scraping.batches FOR EACH STATEMENT EXECUTE FUNCTION wait()',
			],
			new URL(database).pathname.slice(1),
		);
		await control.setFaults({ run: { taskID, endAfterRows: 2, status: 3 } });
		expect((await client.run(taskID)).batch).toMatchObject({ status: 3, lineCount: 2 });
	});
});
