import { appendRowsOneByOne } from './appendRowsOneByOne.ts';
import { keepLateSlots, leaseSlots } from './leaseSlots.ts';
import { refuseTriggers } from './refuseTriggers.ts';

/**
 * What makes the tables of each version from those of the one before it; the first makes them from nothing,
 * in a schema of their own. One that stands here never changes: there are databases that have gone through
 * it, and do so no more. A test knows each by its hash.
 */
export const migrations: string[] = [
	`
	-- Rows come in by the thousand, and each changes the figures of its batch: with room in its page, and no
	-- index on them, that costs no entry in any index.
	CREATE TABLE batches (
		id bigint PRIMARY KEY,
		task_id text NOT NULL,
		region text NOT NULL,
		node_count integer NOT NULL,
		job_count integer NOT NULL,
		status smallint NOT NULL,
		create_time bigint NOT NULL,
		update_time bigint NOT NULL,
		start_time bigint NOT NULL DEFAULT 0,
		end_time bigint NOT NULL DEFAULT 0,
		run_time bigint NOT NULL DEFAULT 0,
		line_count bigint NOT NULL DEFAULT 0,
		duplicated_count bigint NOT NULL DEFAULT 0,
		failed_pages bigint NOT NULL DEFAULT 0,
		end_reason text NOT NULL DEFAULT '',
		request_id text NOT NULL,
		fields text NOT NULL,
		creation bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE
	) WITH (fillfactor = 50);
	CREATE INDEX batches_by_creation ON batches (task_id, creation);
	CREATE INDEX batches_by_request ON batches (task_id, request_id);
	CREATE INDEX unfinished_batches ON batches (task_id, status, creation) WHERE status IN (1, 2);

	-- The task as it was started, until its batch has ended: later edits of its file change no run.
	CREATE TABLE started_tasks (batch_id bigint PRIMARY KEY, task text NOT NULL);
	-- What a batch was started with, to be started so again.
	CREATE TABLE starts (batch_id bigint PRIMARY KEY, job_count integer NOT NULL, action_params text NOT NULL);

	CREATE TABLE jobs (
		batch_id bigint NOT NULL,
		number integer NOT NULL,
		first_item integer NOT NULL,
		end_item integer NOT NULL,
		done smallint NOT NULL DEFAULT 0,
		row_count integer NOT NULL DEFAULT 0,
		-- How often it was claimed: what was claimed before writes nothing more.
		claim integer NOT NULL DEFAULT 0,
		PRIMARY KEY (batch_id, number)
	) WITH (fillfactor = 70);

	-- "position" says where in its job's steps a row was scraped: a repeated step stores nothing twice.
	CREATE TABLE rows (
		batch_id bigint NOT NULL,
		job integer NOT NULL,
		number integer NOT NULL,
		position text NOT NULL,
		hash bytea NOT NULL,
		content text NOT NULL,
		PRIMARY KEY (batch_id, job, number)
	);
	CREATE UNIQUE INDEX rows_by_position ON rows (batch_id, job, position);
	CREATE INDEX rows_by_hash ON rows (batch_id, hash);

	-- Stores rows behind those of their job; a position that the job has a row for is left as it is. Returns the
	-- highest number of one of them in the job, duplicates of the batch left out, and -1 if there is none; NULL
	-- where the claim counts no more. One writer at a time for a batch, since whether a row is there already depends
	-- on all of its rows: as a function, it has its turn for as long as the database works, not the network. Plans
	-- are those of tables that grow, whatever the statistics say of them while they are new.
	CREATE FUNCTION append_rows(
		this_batch bigint, this_job integer, this_claim integer, positions text[], hashes bytea[], contents text[], at_time bigint
	) RETURNS integer LANGUAGE plpgsql
		SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
	AS $$
	DECLARE
		before integer;
		added integer;
		duplicates integer;
		highest integer;
		highest_before integer := -1;
	BEGIN
		PERFORM FROM batches WHERE id = this_batch AND status IN (1, 2) FOR NO KEY UPDATE;
		IF NOT FOUND THEN RETURN NULL; END IF;
		SELECT row_count INTO before FROM jobs
			WHERE batch_id = this_batch AND number = this_job AND claim = this_claim FOR NO KEY UPDATE;
		IF NOT FOUND THEN RETURN NULL; END IF;
		WITH given AS (
			SELECT DISTINCT ON (each.position) each.position, each.hash, each.content, each.place
			FROM unnest(positions, hashes, contents) WITH ORDINALITY AS each (position, hash, content, place)
			ORDER BY each.position, each.place
		), fresh AS (
			SELECT given.position, given.hash, given.content,
				before + row_number() OVER (ORDER BY given.place) - 1 AS number,
				row_number() OVER (PARTITION BY given.hash ORDER BY given.place) > 1
					OR EXISTS (SELECT FROM rows WHERE rows.batch_id = this_batch AND rows.hash = given.hash) AS is_known
			FROM given WHERE NOT EXISTS (
				SELECT FROM rows
				WHERE rows.batch_id = this_batch AND rows.job = this_job AND rows.position = given.position
			)
		), stored AS (
			INSERT INTO rows (batch_id, job, number, position, hash, content)
			SELECT this_batch, this_job, fresh.number, fresh.position, fresh.hash, fresh.content FROM fresh
		)
		SELECT count(*), count(*) FILTER (WHERE is_known), coalesce(max(fresh.number) FILTER (WHERE NOT is_known), -1)
			INTO added, duplicates, highest FROM fresh;
		IF added < cardinality(positions) THEN
			SELECT coalesce(max(rows.number), -1) INTO highest_before FROM rows
				WHERE rows.batch_id = this_batch AND rows.job = this_job AND rows.position = ANY (positions)
				AND rows.number < before;
		END IF;
		IF added > 0 THEN
			UPDATE jobs SET row_count = before + added WHERE batch_id = this_batch AND number = this_job;
			UPDATE batches SET line_count = line_count + added, duplicated_count = duplicated_count + duplicates,
				update_time = at_time WHERE id = this_batch;
		END IF;
		RETURN greatest(highest, highest_before);
	END $$;

	-- The pages that were given up: the first ones of each batch.
	CREATE TABLE failed_pages (
		batch_id bigint NOT NULL,
		job integer NOT NULL,
		position text NOT NULL,
		what text NOT NULL,
		address text NOT NULL,
		reason text NOT NULL,
		tries integer NOT NULL,
		time bigint NOT NULL,
		PRIMARY KEY (batch_id, job, position)
	);

	-- Whether the row selector of a step (no field), and its fields in these rows, have found anything, and on how
	-- many pages; counted from the first page on which it found nothing, which has an address, with those before it.
	CREATE TABLE selectors (
		batch_id bigint NOT NULL,
		step_id text NOT NULL,
		field_id text NOT NULL DEFAULT '',
		selector text NOT NULL,
		field text NOT NULL DEFAULT '',
		found smallint NOT NULL,
		found_before bigint NOT NULL DEFAULT 0,
		found_pages bigint NOT NULL DEFAULT 0,
		empty_pages bigint NOT NULL DEFAULT 0,
		first_empty text NOT NULL DEFAULT '',
		PRIMARY KEY (batch_id, step_id, field_id)
	);

	-- What the log says of a batch: the newest lines.
	CREATE TABLE batch_log (
		batch_id bigint NOT NULL,
		number bigint NOT NULL,
		time bigint NOT NULL,
		level text NOT NULL,
		message text NOT NULL,
		details text NOT NULL,
		PRIMARY KEY (batch_id, number)
	);

	-- Each deduplicationID has a memory, which one that has expired leaves behind.
	CREATE TABLE deduplications (
		id text PRIMARY KEY,
		memory bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
		last_use bigint NOT NULL
	);
	CREATE TABLE returned_rows (memory bigint NOT NULL, hash bytea NOT NULL, PRIMARY KEY (memory, hash));

	-- API keys that were made in the console; "ending" is what people tell them apart by.
	CREATE TABLE api_keys (
		id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
		name text NOT NULL,
		hash bytea NOT NULL UNIQUE,
		ending text NOT NULL,
		create_time bigint NOT NULL
	);
	-- What each key was last used for, also those that are not stored here.
	CREATE TABLE api_key_uses (hash bytea PRIMARY KEY, time bigint NOT NULL, request text NOT NULL);
	-- The key that was made up at the first start: there is one at most.
	CREATE TABLE kept_keys (is_kept boolean PRIMARY KEY DEFAULT true CHECK (is_kept), hash bytea NOT NULL, ending text NOT NULL);
	-- Who has come into the console; with an API key: only as long as that one counts.
	CREATE TABLE console_sessions (
		id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
		hash bytea NOT NULL UNIQUE,
		key_hash bytea,
		browser text NOT NULL,
		create_time bigint NOT NULL,
		end_time bigint NOT NULL
	);
	`,
	`
	-- Credits that were used, of batches that were seeded.
	ALTER TABLE batches ADD COLUMN captcha_count bigint NOT NULL DEFAULT 0;
	ALTER TABLE batches ADD COLUMN ip_proxy_usage bigint NOT NULL DEFAULT 0;
	`,
	`
	-- The tasks, as the texts of files: "task_id" is in small letters, "hash" that of the text.
	CREATE TABLE tasks (
		name text PRIMARY KEY CHECK (name ~* '^[^./][^/]*\\.json$'),
		task_id text NOT NULL UNIQUE,
		text text NOT NULL,
		hash text NOT NULL
	);
	-- Those that were deleted, and can be brought back.
	CREATE TABLE deleted_tasks (
		id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
		name text NOT NULL,
		text text NOT NULL,
		time bigint NOT NULL
	);
	-- Whether there have ever been tasks: there is one row at most. Who has deleted all gets no others.
	CREATE TABLE first_tasks (were_put boolean PRIMARY KEY DEFAULT true CHECK (were_put));

	-- Every process hears that there are others, whoever has changed them.
	CREATE FUNCTION tell_of_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		NOTIFY cloud_scraping_tasks;
		RETURN NULL;
	END $$;
	CREATE TRIGGER tell_of_tasks AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tasks
		FOR EACH STATEMENT EXECUTE FUNCTION tell_of_tasks();
	`,
	`
	-- The ticket (of pg-boss) whose holder has a job, or has left it.
	ALTER TABLE jobs ADD COLUMN ticket text;
	CREATE INDEX jobs_to_do ON jobs (batch_id, number) WHERE done = 0;

	-- How many of the requests that may be under way at once for a key each process may make: what it wants, what it
	-- has, since when (it has some, or waits), and until when that holds.
	CREATE TABLE slots (
		key text NOT NULL,
		holder text NOT NULL,
		wanted integer NOT NULL,
		held integer NOT NULL,
		since timestamptz NOT NULL,
		until timestamptz NOT NULL,
		PRIMARY KEY (key, holder)
	);

	-- Leases slots of a key, and returns how many the holder may use. Those who wait get theirs in their order; who
	-- has more than its share gives some back while others wait, and where there are fewer slots than holders, all
	-- after a while. "under_way" are those that it cannot give back yet.
	CREATE ${leaseSlots()}

	-- The hosts that fail now, as the last process has said that has asked them.
	CREATE TABLE failing_hosts (key text PRIMARY KEY, news text NOT NULL, rests_until timestamptz NOT NULL);
	`,
	`
	-- The processes that work with this database, as each has said of itself last.
	CREATE TABLE processes (
		id text PRIMARY KEY,
		name text NOT NULL,
		kind text NOT NULL,
		version text NOT NULL,
		regions text NOT NULL,
		agents integer NOT NULL,
		busy_agents integer NOT NULL,
		memory bigint NOT NULL,
		start_time timestamptz NOT NULL,
		last_report timestamptz NOT NULL
	);
	`,
	`
	-- The ids of the tickets that a batch was given.
	ALTER TABLE started_tasks ADD COLUMN tickets uuid[] NOT NULL DEFAULT '{}';
	`,
	appendRowsOneByOne,
	`
	-- The regions whose pages come through a proxy at a process.
	ALTER TABLE processes ADD COLUMN proxied text NOT NULL DEFAULT '';
	`,
	refuseTriggers,
	keepLateSlots,
	`
	-- Kinds of pages that a step has had, with which those that come later are compared.
	CREATE TABLE step_pages (
		batch_id bigint NOT NULL,
		step_id text NOT NULL,
		kind text NOT NULL,
		PRIMARY KEY (batch_id, step_id, kind)
	);
	`,
	`
	-- What the steps of a job have sent, as an order: whoever goes on with it does not know by itself.
	ALTER TABLE jobs ADD COLUMN sent text NOT NULL DEFAULT '';
	`,
];
