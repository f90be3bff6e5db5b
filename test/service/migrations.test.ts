import { hash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../service/src/store/sqlite/database.ts';
import { SqliteReturnedRows } from '../../service/src/store/sqlite/deduplicationStore.ts';
import { migrations } from '../../service/src/store/sqlite/migrations.ts';

let folder: string;
let data: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-migrations-'));
	data = join(folder, 'service.db');
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs SQL in the database while no service has it. */
function inDatabase(...sql: string[]): void {
	const database = new DatabaseSync(data);
	for (const statements of sql) database.exec(statements);
	database.close();
}

test('a migration that has been committed never changes', () => {
	const hashes = migrations.map(({ sql, neededWhere = '' }) =>
		hash('sha256', `${neededWhere}\0${sql}`).slice(0, 16),
	);
	expect(
		hashes,
		'Databases have gone through these migrations, and will not do so again: leave each as it was committed. Add a new one at the end of the list, and its hash here.',
	).toEqual([
		'3dceed67596fe40b',
		'8e65ef41fd9970da',
		'0cd3f40720de6f70',
		'961dd0ce1b700fb4',
		'fdae91af7e3cd260',
		'fc91128a1ab4ab6e',
		'267cb394298dc312',
		'99b4491dd9e59f3c',
		'5ac20b03c9358488',
		'54270913aacf9f45',
		'0f7e720252c6e8ba',
		'20f30e8e776c5580',
	]);
});

const sqlOf = (index: number) => migrations[index]?.sql ?? '';

/** What the fourth one was when it was committed first. */
const [firstFourth = ''] = sqlOf(3).split('-- Each deduplicationID');

test.each([
	['as such a service left it', [], 4],
	['after a later service that could not start had changed it', [sqlOf(4)], 5],
])(
	'a database of which the fourth migration made less is mended, and loses nothing: %s',
	async (_when, later, version) => {
		inDatabase(
			...[sqlOf(0), sqlOf(1), sqlOf(2), firstFourth, ...later],
			`INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, request_id, fields)
				VALUES (1, 'ABCDEF', 'us', 1, 1, 3, 1, 1, 'x', '[]');
			INSERT INTO deduplications VALUES ('kept', ${Date.now()});
			INSERT INTO returned_rows VALUES ('kept', x'01');
			PRAGMA user_version = ${version}`,
		);
		const database = openDatabase(data);
		expect(database.prepare('SELECT task_id FROM batches').all()).toEqual([{ task_id: 'abcdef' }]);
		const hashes = [1, 2].map((byte) => Uint8Array.of(byte));
		const fresh = await new SqliteReturnedRows(database).remember('kept', hashes);
		expect(fresh).toEqual(hashes.slice(1));
		database.close();
	},
);

test.each([
	['lacks a column', 'ALTER TABLE starts DROP COLUMN job_count', 'it lacks starts.job_count'],
	['lacks a table', 'DROP TABLE selectors', 'it lacks selectors.batch_id, '],
	[
		'has a table already that is to be made',
		'PRAGMA user_version = 4',
		'table starts already exists',
	],
	[
		'holds what its new version does not allow',
		`PRAGMA user_version = 3; DROP TABLE starts; DROP TABLE returned_rows; DROP TABLE deduplications;
		CREATE TABLE deduplications (id TEXT, last_use INTEGER);
		CREATE TABLE returned_rows (deduplication_id TEXT, hash BLOB);
		INSERT INTO deduplications VALUES ('twice', 1), ('twice', 1)`,
		'UNIQUE constraint failed: deduplications.id',
	],
])('a database that %s is named with what to do, and left as it was', (_what, change, reason) => {
	openDatabase(data).close();
	inDatabase(change);
	for (let start = 0; start < 2; start += 1) {
		expect(() => openDatabase(data)).toThrow(
			`The database ${data} does not have the tables of this service: ${reason}`,
		);
		expect(() => openDatabase(data)).toThrow(
			/\. They were left as they are\. Set SERVICE_DATA to another file, or put a copy of this one from before in its place\.$/,
		);
	}
});

test.each([
	['as it was made', 'PRAGMA journal_mode = DELETE'],
	['with a version of its own', 'PRAGMA user_version = 3'],
	['in WAL mode', 'PRAGMA journal_mode = WAL'],
	['with a table that is called as ours', 'CREATE TABLE batches (id TEXT)'],
])('a database of another program, %s, is refused, and stays as it is to the byte', (_how, sql) => {
	inDatabase("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('x')", sql);
	chmodSync(data, 0o640);
	const found = () => ({
		bytes: hash('sha256', readFileSync(data)),
		mode: statSync(data).mode & 0o777,
		files: readdirSync(folder),
	});
	const before = found();
	expect(() => openDatabase(data)).toThrow('it lacks batches.');
	expect(found()).toEqual(before);
});
