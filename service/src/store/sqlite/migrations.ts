/** What makes a database of the next version. */
export interface Migration {
	sql: string;
	/** A query that finds something where this is needed; absent: it is needed everywhere. */
	neededWhere?: string;
}

/** What came into the fourth migration when there were databases already that had gone through it. */
const memoriesAndSmallLetters = `-- Each deduplicationID has a memory, which one that has expired leaves behind.
	ALTER TABLE deduplications RENAME TO old_deduplications;
	ALTER TABLE returned_rows RENAME TO old_returned_rows;
	CREATE TABLE deduplications (
		id TEXT PRIMARY KEY,
		memory INTEGER NOT NULL UNIQUE,
		last_use INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE returned_rows (
		memory INTEGER NOT NULL,
		hash BLOB NOT NULL,
		PRIMARY KEY (memory, hash)
	) STRICT, WITHOUT ROWID;
	INSERT INTO deduplications SELECT id, row_number() OVER (ORDER BY id), last_use FROM old_deduplications;
	INSERT INTO returned_rows SELECT memory, hash FROM old_returned_rows JOIN deduplications ON id = deduplication_id;
	DROP TABLE old_returned_rows;
	DROP TABLE old_deduplications;

	-- UUIDs are compared without regard to case: all are stored in small letters.
	UPDATE batches SET task_id = lower(task_id);
	`;

/**
 * What makes a database of each version from the one before it; the first makes one from nothing. A
 * database of the time before versions has the tables of the first. One that stands here never changes:
 * there are databases that have gone through it, and do so no more. A test knows each by its hash.
 */
export const migrations: Migration[] = [
	{
		sql: `
	CREATE TABLE IF NOT EXISTS batches (
		id INTEGER PRIMARY KEY,
		task_id TEXT NOT NULL,
		region TEXT NOT NULL,
		node_count INTEGER NOT NULL,
		job_count INTEGER NOT NULL,
		status INTEGER NOT NULL,
		create_time INTEGER NOT NULL,
		update_time INTEGER NOT NULL,
		start_time INTEGER NOT NULL DEFAULT 0,
		end_time INTEGER NOT NULL DEFAULT 0,
		run_time INTEGER NOT NULL DEFAULT 0,
		line_count INTEGER NOT NULL DEFAULT 0,
		duplicated_count INTEGER NOT NULL DEFAULT 0,
		request_id TEXT NOT NULL,
		fields TEXT NOT NULL
	) STRICT;
	CREATE INDEX IF NOT EXISTS batches_by_creation ON batches (task_id, id);
	CREATE INDEX IF NOT EXISTS batches_by_run_time ON batches (task_id, run_time, id);
	CREATE INDEX IF NOT EXISTS batches_by_line_count ON batches (task_id, line_count, id);
	CREATE INDEX IF NOT EXISTS unfinished_batches ON batches (task_id, id) WHERE status IN (1, 2);

	-- The task as it was started, until its batch has ended: later edits of its file change no run.
	CREATE TABLE IF NOT EXISTS started_tasks (
		batch_id INTEGER PRIMARY KEY,
		task TEXT NOT NULL
	) STRICT;

	CREATE TABLE IF NOT EXISTS jobs (
		batch_id INTEGER NOT NULL,
		number INTEGER NOT NULL,
		first_item INTEGER NOT NULL,
		end_item INTEGER NOT NULL,
		done INTEGER NOT NULL DEFAULT 0,
		row_count INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (batch_id, number)
	) STRICT, WITHOUT ROWID;

	-- "position" says where in its job's steps a row was scraped: a repeated step stores nothing twice.
	CREATE TABLE IF NOT EXISTS rows (
		batch_id INTEGER NOT NULL,
		job INTEGER NOT NULL,
		number INTEGER NOT NULL,
		position TEXT NOT NULL,
		hash BLOB NOT NULL,
		content TEXT NOT NULL,
		PRIMARY KEY (batch_id, job, number)
	) STRICT, WITHOUT ROWID;
	CREATE UNIQUE INDEX IF NOT EXISTS rows_by_position ON rows (batch_id, job, position);
	CREATE INDEX IF NOT EXISTS rows_by_hash ON rows (batch_id, hash);

	CREATE TABLE IF NOT EXISTS deduplications (
		id TEXT PRIMARY KEY,
		last_use INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS returned_rows (
		deduplication_id TEXT NOT NULL REFERENCES deduplications (id) ON DELETE CASCADE,
		hash BLOB NOT NULL,
		PRIMARY KEY (deduplication_id, hash)
	) STRICT, WITHOUT ROWID;
	`,
	},
	{
		sql: `
	-- The batches in the order of their creation, whatever size their identifiers have.
	ALTER TABLE batches ADD COLUMN creation INTEGER NOT NULL DEFAULT 0;
	UPDATE batches SET creation = numbered.number
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM batches) AS numbered
		WHERE numbered.id = batches.id;
	CREATE UNIQUE INDEX all_batches_by_creation ON batches (creation);
	DROP INDEX batches_by_creation;
	DROP INDEX batches_by_run_time;
	DROP INDEX batches_by_line_count;
	DROP INDEX unfinished_batches;
	CREATE INDEX batches_by_creation ON batches (task_id, creation);
	CREATE INDEX batches_by_run_time ON batches (task_id, run_time, creation);
	CREATE INDEX batches_by_line_count ON batches (task_id, line_count, creation);
	CREATE INDEX unfinished_batches ON batches (task_id, status, creation) WHERE status IN (1, 2);

	-- Why a batch ended that could not go on; empty for others.
	ALTER TABLE batches ADD COLUMN end_reason TEXT NOT NULL DEFAULT '';
	-- How many pages were given up; the table of them holds the first ones.
	ALTER TABLE batches ADD COLUMN failed_pages INTEGER NOT NULL DEFAULT 0;
	CREATE TABLE failed_pages (
		batch_id INTEGER NOT NULL,
		job INTEGER NOT NULL,
		position TEXT NOT NULL,
		what TEXT NOT NULL,
		address TEXT NOT NULL,
		reason TEXT NOT NULL,
		tries INTEGER NOT NULL,
		time INTEGER NOT NULL,
		PRIMARY KEY (batch_id, job, position)
	) STRICT, WITHOUT ROWID;

	-- Whether the row selector of a step (no field), and its fields in these rows, have found anything.
	CREATE TABLE selectors (
		batch_id INTEGER NOT NULL,
		step_id TEXT NOT NULL,
		field_id TEXT NOT NULL DEFAULT '',
		selector TEXT NOT NULL,
		field TEXT NOT NULL DEFAULT '',
		found INTEGER NOT NULL,
		PRIMARY KEY (batch_id, step_id, field_id)
	) STRICT, WITHOUT ROWID;
	`,
	},
	{
		sql: `
	-- What the log says of a batch: the newest lines.
	CREATE TABLE batch_log (
		batch_id INTEGER NOT NULL,
		number INTEGER NOT NULL,
		time INTEGER NOT NULL,
		level TEXT NOT NULL,
		message TEXT NOT NULL,
		details TEXT NOT NULL,
		PRIMARY KEY (batch_id, number)
	) STRICT, WITHOUT ROWID;

	-- API keys that were made in the console; "ending" is what people tell them apart by.
	CREATE TABLE api_keys (
		id INTEGER PRIMARY KEY,
		name TEXT NOT NULL,
		hash BLOB NOT NULL UNIQUE,
		ending TEXT NOT NULL,
		create_time INTEGER NOT NULL
	) STRICT;
	-- What each key was last used for, also those that are not stored here.
	CREATE TABLE api_key_uses (
		hash BLOB PRIMARY KEY,
		time INTEGER NOT NULL,
		request TEXT NOT NULL
	) STRICT, WITHOUT ROWID;
	-- Who has come into the console; with an API key: only as long as that one counts.
	CREATE TABLE console_sessions (
		hash BLOB PRIMARY KEY,
		key_hash BLOB,
		end_time INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	`,
	},
	{
		sql: `
	-- Sessions are listed, so that people see who has come in. Those of before are ended: nobody could tell them apart.
	DROP TABLE console_sessions;
	CREATE TABLE console_sessions (
		id INTEGER PRIMARY KEY,
		hash BLOB NOT NULL UNIQUE,
		key_hash BLOB,
		browser TEXT NOT NULL,
		create_time INTEGER NOT NULL,
		end_time INTEGER NOT NULL
	) STRICT;

	${memoriesAndSmallLetters}`,
	},
	{
		sql: `
	-- What a batch was started with, to be started so again.
	CREATE TABLE starts (
		batch_id INTEGER PRIMARY KEY,
		job_count INTEGER NOT NULL,
		action_params TEXT NOT NULL
	) STRICT;
	`,
	},
	{
		neededWhere: `
	SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pragma_table_info('deduplications') WHERE name = 'memory')
	`,
		sql: memoriesAndSmallLetters,
	},
	{
		sql: `
	-- On how many pages a selector has found something, and nothing; counted from the first page on which it
	-- found nothing, which has an address, with those before it.
	ALTER TABLE selectors ADD COLUMN found_before INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE selectors ADD COLUMN found_pages INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE selectors ADD COLUMN empty_pages INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE selectors ADD COLUMN first_empty TEXT NOT NULL DEFAULT '';
	`,
	},
	{
		sql: `
	-- How often a job was claimed: what was claimed before writes nothing more.
	ALTER TABLE jobs ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;
	`,
	},
	{
		sql: `
	-- Credits that were used, of batches that were seeded.
	ALTER TABLE batches ADD COLUMN captcha_count INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE batches ADD COLUMN ip_proxy_usage INTEGER NOT NULL DEFAULT 0;
	`,
	},
	{
		sql: `
	-- With a rowid: without one, a row of a kilobyte or more takes a page of its own beside the rest, which is four
	-- times its size, and twice the work to write.
	DROP INDEX rows_by_position;
	DROP INDEX rows_by_hash;
	ALTER TABLE rows RENAME TO old_rows;
	CREATE TABLE rows (
		batch_id INTEGER NOT NULL,
		job INTEGER NOT NULL,
		number INTEGER NOT NULL,
		position TEXT NOT NULL,
		hash BLOB NOT NULL,
		content TEXT NOT NULL,
		PRIMARY KEY (batch_id, job, number)
	) STRICT;
	INSERT INTO rows SELECT batch_id, job, number, position, hash, content FROM old_rows ORDER BY batch_id, job, number;
	DROP TABLE old_rows;
	CREATE UNIQUE INDEX rows_by_position ON rows (batch_id, job, position);
	CREATE INDEX rows_by_hash ON rows (batch_id, hash);
	`,
	},
	{
		sql: `
	-- Kinds of pages that a step has had, with which those that come later are compared.
	CREATE TABLE step_pages (
		batch_id INTEGER NOT NULL,
		step_id TEXT NOT NULL,
		kind TEXT NOT NULL,
		PRIMARY KEY (batch_id, step_id, kind)
	) STRICT, WITHOUT ROWID;
	`,
	},
	{
		sql: `
	-- What the steps of a job have sent, as an order: whoever goes on with it does not know by itself.
	ALTER TABLE jobs ADD COLUMN sent TEXT NOT NULL DEFAULT '';
	`,
	},
];
