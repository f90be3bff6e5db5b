import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../support/service/startService';

/** Fills a database that may not grow, then goes on with one that may; prints what each says. */
const script = `
	import { openDatabase, transaction } from './store/database.ts';

	const database = openDatabase(process.argv[1]);
	const fill = () => transaction(database, () => {
		database.exec("INSERT INTO deduplications VALUES ('small', 1, 1)");
		database.exec("INSERT INTO deduplications VALUES (hex(randomblob(1000000)), 2, 1)");
	});
	const said = [];
	database.exec('PRAGMA max_page_count = 60');
	try {
		fill();
	} catch (error) {
		said.push(error.message);
	}
	database.exec('PRAGMA max_page_count = 1000000');
	fill();
	said.push(database.prepare('SELECT count(*) AS count FROM deduplications').get().count);
	console.log(JSON.stringify(said));
`;

test('a full disk is named as what it is, stores nothing, and may be over later', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-database-'));
	const said = await runScript(script, join(folder, 'service.db'));
	expect(JSON.parse(said)).toEqual(['database or disk is full', 2]);
	await rm(folder, { recursive: true });
});
