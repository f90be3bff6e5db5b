import { cloudClient, type CloudClient } from './cloudClient';
import { startService, type RunningService } from './startService';

jest.setTimeout(60_000);

let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	service = await startService();
	client = cloudClient(service);
});

afterAll(() => service?.stop());

test('scroll', async () => {
	const { batch, rows } = await client.run('66666666-6666-4666-8666-666666666666');
	expect(rows).toEqual((await client.run('11111111-1111-4111-8111-111111111111')).rows);
	expect(batch).toMatchObject({ lineCount: 72, duplicatedCount: 6 });
});
test('filter', async () => {
	const { rows } = await client.run('77777777-7777-4777-8777-777777777777');
	expect(rows.map(({ Name }) => Name)).toEqual([]);
});
