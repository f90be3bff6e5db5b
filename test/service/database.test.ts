import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, transaction } from '../../service/src/store/sqlite/database.ts';

test('a full disk is named as what it is, stores nothing, and may be over later', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-database-'));
	const database = openDatabase(join(folder, 'service.db'));
	const fill = () =>
		transaction(database, () => {
			database.exec("INSERT INTO deduplications VALUES ('small', 1, 1)");
			database.exec('INSERT INTO deduplications VALUES (hex(randomblob(1000000)), 2, 1)');
		});
	database.exec('PRAGMA max_page_count = 60');
	expect(fill).toThrow('database or disk is full');
	database.exec('PRAGMA max_page_count = 1000000');
	fill();
	expect(database.prepare('SELECT count(*) AS count FROM deduplications').get()).toEqual({
		count: 2,
	});
	database.close();
	await rm(folder, { recursive: true });
});
