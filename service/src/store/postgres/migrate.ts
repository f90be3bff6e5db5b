import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { numberIn, textIn } from '../columns.ts';
import {
	inTransaction,
	queryOf,
	queueSchema,
	schema,
	settingsFor,
	stayOpen,
	type Query,
} from './connections.ts';
import { migrations } from './migrations.ts';
import {
	ForeignTables,
	IgnoredSettings,
	LackOfRights,
	LackOfSchema,
	NarrowEncoding,
	NewerTables,
	OldServer,
	TablesInUse,
} from './unusable.ts';

/** The oldest PostgreSQL that is known to do, as it says its version. */
const oldestServer = 130_000;

/** Encodings of a database that have each character of every page. */
const encodings = ['UTF8', 'SQL_ASCII'];

/** The advisory lock that each connection of a service shares, so that no other version changes the tables below it. */
const tablesLock = 4_283_160_541;

/** Tries, a second apart, to have that lock for oneself: who else migrates now is soon done. */
const tries = 10;

/** Milliseconds between two of them. */
const pause = 1_000;

/** Brings the tables of a database to the version of this service, or makes them. */
export async function migrate(address: string): Promise<void> {
	const client = new pg.Client(settingsFor(address));
	// It is told by the statement that fails.
	client.on('error', () => undefined);
	await client.connect();
	try {
		await stayOpen(queryOf(client));
		await bringUp(queryOf(client));
	} finally {
		await client.end();
	}
}

/** Sees to it that a new connection finds the tables of this version, as long as it is there. */
export async function holdVersion(query: Query): Promise<void> {
	await query('SELECT pg_advisory_lock_shared($1)', tablesLock);
	const [columns] = await query('SELECT version FROM schema_version');
	checkVersion(numberIn(columns, 'version'));
}

async function bringUp(query: Query): Promise<void> {
	const [server] = await query(
		`SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS name,
			current_setting('server_encoding') AS encoding`,
	);
	if (numberIn(server, 'number') < oldestServer) throw new OldServer(textIn(server, 'name'));
	const encoding = textIn(server, 'encoding');
	if (!encodings.includes(encoding)) throw new NarrowEncoding(encoding);
	if (checkVersion(await versionIn(query)) < migrations.length) await migrateAlone(query);
	await checkColumns(query);
	await checkRights(query);
}

/** Throws where a user may do less than a service has to do, which only the first batch would find out. */
async function checkRights(query: Query): Promise<void> {
	const [lacking] = await query(
		`SELECT string_agg(format('%s (%s)', relname, word), ', ' ORDER BY relname, word) AS names
			FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS word
			WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' AND NOT has_table_privilege(oid, word)`,
		schema,
	);
	const names = lacking?.names;
	if (typeof names === 'string') throw new LackOfRights(names);
}

async function migrateAlone(query: Query): Promise<void> {
	for (let number = 1; !(await isAlone(query)); number += 1) {
		// Another process may have done it.
		if ((await versionIn(query)) >= migrations.length) return;
		if (number === tries) throw new TablesInUse();
		await sleep(pause);
	}
	await inTransaction(query, async () => {
		const version = checkVersion(await versionIn(query));
		if (version === 0) await makeSchema(query);
		for (const sql of migrations.slice(version)) await query(sql);
		const columns = (await columnsIn(query)).join(' ');
		await query('UPDATE schema_version SET version = $1, columns = $2', migrations.length, columns);
	});
}

async function isAlone(query: Query): Promise<boolean> {
	const [lock] = await query('SELECT pg_try_advisory_lock($1) AS is_mine', tablesLock);
	return lock?.is_mine === true;
}

async function makeSchema(query: Query): Promise<void> {
	const tables = await columnsIn(query);
	if (tables.length > 0) throw new ForeignTables(`it holds ${tables[0]}`);
	// Beside it the queue makes its own, later: what would be refused then is refused before anything is written.
	const [queue] = await query(
		"SELECT min(relname) AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p', 'v')",
		queueSchema,
	);
	if (typeof queue?.name === 'string') {
		throw new ForeignTables(`there is ${queueSchema}.${queue.name} already`);
	}
	for (const name of [schema, queueSchema]) {
		const [found] = await query(
			"SELECT has_schema_privilege(oid, 'CREATE') AND has_schema_privilege(oid, 'USAGE') AS may_use FROM pg_namespace WHERE nspname = $1",
			name,
		);
		// Also with IF NOT EXISTS, that needs the right to create one.
		if (!found) await query(`CREATE SCHEMA ${name}`);
		else if (found.may_use !== true) throw new LackOfSchema(`permission denied for schema ${name}`);
	}
	await checkPath(query);
	await query('CREATE TABLE schema_version (version integer NOT NULL, columns text NOT NULL)');
	await query("INSERT INTO schema_version VALUES (0, '')");
}

/** The version of the tables; 0 where there are none of this service. */
async function versionIn(query: Query): Promise<number> {
	const [found] = await query(
		'SELECT to_regclass($1) IS NOT NULL AS is_there',
		`${schema}.schema_version`,
	);
	if (found?.is_there !== true) return 0;
	await checkPath(query);
	const [columns] = await query('SELECT version FROM schema_version');
	return numberIn(columns, 'version');
}

/** Throws where tables are looked for, or made, elsewhere than this service has asked for. */
async function checkPath(query: Query): Promise<void> {
	const [found] = await query(
		"SELECT current_schema() AS first, current_setting('search_path') AS path",
	);
	if (found?.first === schema) return;
	throw new IgnoredSettings(`its search_path is ${textIn(found, 'path')}, not ${schema}`);
}

function checkVersion(version: number): number {
	if (version > migrations.length) {
		throw new NewerTables(`they have version ${version}, this service knows ${migrations.length}`);
	}
	return version;
}

async function checkColumns(query: Query): Promise<void> {
	const [columns] = await query('SELECT columns FROM schema_version');
	const found = new Set(await columnsIn(query));
	const missing = textIn(columns, 'columns')
		.split(' ')
		.filter((column) => !found.has(column));
	if (missing.length > 0) throw new ForeignTables(`it lacks ${missing.join(', ')}`);
}

/** Those of the tables of the schema, each with its table: `batches.id`. */
async function columnsIn(query: Query): Promise<string[]> {
	const columns = await query(
		`SELECT table_name || '.' || column_name AS name FROM information_schema.columns
		WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
		schema,
	);
	return columns.map((column) => textIn(column, 'name'));
}
