/** The migration by which nothing is written while another program may have it swallowed. */
export const refuseTriggers = `
	-- Fails where a trigger before a row, or a rule, stands on a table of the service: it may write something else than
	-- it is given, or nothing, and PostgreSQL says so to nobody. One that fires after a row can only object. Asked at
	-- the end of a transaction: whatever stood on a table when that was written to stands there until then, for both
	-- to make and to drop one waits for who writes.
	CREATE FUNCTION refuse_triggers() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
	DECLARE
		found text;
	BEGIN
		SELECT format('the trigger %I on %s', tgname, tgrelid::regclass) INTO found
			FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
			WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 3 = 3 AND relnamespace IN (to_regnamespace('cloud_scraping'), to_regnamespace('cloud_scraping_queue'))
			LIMIT 1;
		IF found IS NULL THEN
			SELECT format('the rule %I on %s', rulename, ev_class::regclass) INTO found
				FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
				WHERE ev_enabled <> 'D' AND relkind IN ('r', 'p') AND relnamespace IN (to_regnamespace('cloud_scraping'), to_regnamespace('cloud_scraping_queue'))
				LIMIT 1;
		END IF;
		IF found IS NOT NULL THEN
			RAISE EXCEPTION '% may change or swallow what is written there: drop it; a trigger may fire AFTER instead', found;
		END IF;
	END $$;
	`;
