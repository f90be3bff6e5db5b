import { pino } from 'pino';
import { Connections } from '../../../service/src/store/postgres/connections.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';

describeWithPostgres('a database that gives a process few connections', () => {
	let postgres: Postgres;
	let connections: Connections;

	beforeAll(async () => {
		postgres = await startPostgres();
		const address = new URL(postgres.newDatabase());
		postgres.run(["CREATE ROLE few LOGIN PASSWORD 'x' CONNECTION LIMIT 2"]);
		[address.username, address.password] = ['few', 'x'];
		const log = pino({ level: 'silent' });
		connections = new Connections(address.href, () => Promise.resolve(), log);
	});
	afterAll(async () => {
		await connections?.close();
		await postgres?.stop();
	});

	test('answers all that is asked at once, one after the other', async () => {
		await connections.query('SELECT 1');
		const answers = await Promise.allSettled(
			Array.from({ length: 9 }, () => connections.query('SELECT pg_sleep(0.2)')),
		);
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'fulfilled'));
	});
});
