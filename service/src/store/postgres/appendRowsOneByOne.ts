/** The migration by which rows are stored one by one within their transaction. */
export const appendRowsOneByOne = `
	-- As before, and with the rows, unless it is NULL, the first item of the job is stored that is still to be done.
	-- Row by row, by statements whose plans are always the same: a statement for all was planned anew each time, which
	-- took longer than to store a row.
	DROP FUNCTION append_rows(bigint, integer, integer, text[], bytea[], text[], bigint);
	CREATE FUNCTION append_rows(
		this_batch bigint, this_job integer, this_claim integer, positions text[], hashes bytea[], contents text[], at_time bigint,
		next_item integer
	) RETURNS integer LANGUAGE plpgsql
		SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
	AS $$
	DECLARE
		before integer;
		added integer := 0;
		duplicates integer := 0;
		highest integer := -1;
		is_known boolean;
		there integer;
		each record;
	BEGIN
		PERFORM FROM batches WHERE id = this_batch AND status IN (1, 2) FOR NO KEY UPDATE;
		IF NOT FOUND THEN RETURN NULL; END IF;
		SELECT row_count INTO before FROM jobs
			WHERE batch_id = this_batch AND number = this_job AND claim = this_claim FOR NO KEY UPDATE;
		IF NOT FOUND THEN RETURN NULL; END IF;
		FOR each IN SELECT * FROM unnest(positions, hashes, contents) AS given (position, hash, content) LOOP
			is_known := EXISTS (SELECT FROM rows WHERE rows.batch_id = this_batch AND rows.hash = each.hash);
			INSERT INTO rows (batch_id, job, number, position, hash, content)
				VALUES (this_batch, this_job, before + added, each.position, each.hash, each.content)
				ON CONFLICT (batch_id, job, position) DO NOTHING;
			IF NOT FOUND THEN
				SELECT number INTO there FROM rows
					WHERE rows.batch_id = this_batch AND rows.job = this_job AND rows.position = each.position;
				IF there < before THEN highest := greatest(highest, there); END IF;
				CONTINUE;
			END IF;
			IF is_known THEN duplicates := duplicates + 1; ELSE highest := before + added; END IF;
			added := added + 1;
		END LOOP;
		IF added > 0 OR next_item IS NOT NULL THEN
			UPDATE jobs SET row_count = before + added, first_item = coalesce(next_item, first_item)
				WHERE batch_id = this_batch AND number = this_job;
		END IF;
		IF added > 0 THEN
			UPDATE batches SET line_count = line_count + added, duplicated_count = duplicated_count + duplicates,
				update_time = at_time WHERE id = this_batch;
		END IF;
		RETURN highest;
	END $$;
	`;
