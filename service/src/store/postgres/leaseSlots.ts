/** What makes slots of holders late: they have eight more seconds to lease anew. Where the clock was set forward, all are. */
export const late = "is_late = true, until = clock_timestamp() + interval '8 seconds'";

/** The function by which slots are leased, as a migration makes it. */
export function leaseSlots({
	dropOld = 'DELETE FROM slots WHERE key = this_key AND until < at_time;',
	renewed = '',
} = {}): string {
	return `FUNCTION lease_slots(
		this_key text, this_holder text, most integer, wants integer, under_way integer, milliseconds integer
	) RETURNS integer LANGUAGE plpgsql AS $$
	DECLARE
		at_time timestamptz;
		had integer := 0;
		had_since timestamptz;
		others integer;
		waiting integer;
		earlier integer;
		may integer;
	BEGIN
		PERFORM pg_advisory_xact_lock(4283160, hashtext(this_key));
		at_time := clock_timestamp();
		${dropOld}
		SELECT held, since INTO had, had_since FROM slots WHERE key = this_key AND holder = this_holder;
		had := coalesce(had, 0);
		had_since := coalesce(had_since, at_time);
		SELECT coalesce(sum(held), 0), count(*) FILTER (WHERE held = 0), count(*) FILTER (WHERE held = 0 AND since < had_since)
			INTO others, waiting, earlier FROM slots WHERE key = this_key AND holder <> this_holder;
		may := least(wants, greatest(most - others, 0));
		IF had = 0 THEN
			may := least(may, greatest(most - others - earlier, 0));
		ELSIF waiting > 0 THEN
			may := least(may, greatest(1, most / (1 + (SELECT count(*)::integer FROM slots WHERE key = this_key AND holder <> this_holder))));
			IF others + may + waiting > most AND had_since < at_time - interval '4 seconds' THEN may := 0; END IF;
		END IF;
		IF wants = 0 AND under_way = 0 THEN
			DELETE FROM slots WHERE key = this_key AND holder = this_holder;
			RETURN 0;
		END IF;
		INSERT INTO slots (key, holder, wanted, held, since, until)
			VALUES (this_key, this_holder, wants, greatest(may, least(under_way, had)), at_time, at_time)
			ON CONFLICT (key, holder) DO UPDATE SET wanted = excluded.wanted, held = excluded.held,
				since = CASE WHEN (slots.held = 0) = (excluded.held = 0) THEN slots.since ELSE at_time END;
		-- Who waits asks again soon, or is there no more.
		UPDATE slots SET ${renewed}until = at_time + CASE WHEN held = 0 THEN 3000 ELSE milliseconds END * interval '1 millisecond'
			WHERE key = this_key AND holder = this_holder;
		RETURN may;
	END $$;`;
}

/** The migration by which slots outlast a clock that is set forward. */
export const keepLateSlots = `
	ALTER TABLE slots ADD COLUMN is_late boolean NOT NULL DEFAULT false;
	CREATE OR REPLACE ${leaseSlots({
		dropOld: `DELETE FROM slots WHERE key = this_key AND until < at_time AND (is_late OR held = 0);
		UPDATE slots SET ${late} WHERE key = this_key AND until < at_time;`,
		renewed: 'is_late = false, ',
	})}
	`;
