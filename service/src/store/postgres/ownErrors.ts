import type { DatabaseError } from 'pg';

/**
 * Classes of PostgreSQL's codes for what a statement was given: texts, numbers and sizes that it cannot store, of
 * which another try makes nothing else.
 */
const ofValues = /^(21|22|54)/;

/** Codes for what is there already: of several processes that make the tables at once, one has. */
const ofTables = /^(42P0[67]|42710)$/;

/** How those begin for what a table does not take. */
const ofConstraints = /^23/;

/** Constraints that the service's own statements may come upon, by their schema; of some schemas, all. */
const ownConstraints: Record<string, true | string[] | undefined> = {
	cloud_scraping: ['rows_pkey', 'tasks_pkey', 'tasks_task_id_key', 'tasks_name_check'],
	// Of pg-boss, which knows its own, and of the catalogue, where several make the same at once.
	cloud_scraping_queue: true,
	pg_catalog: true,
};

/** The lines by which PostgreSQL says in which function it was, and the functions of the service that write. */
const inFunction = /^PL\/.*$/gm;
const ownFunction = /\b(append_rows|lease_slots|tell_of_tasks)\(/;

/**
 * Whether a statement of the service has failed by what is in it: then another try is in vain, and a batch ends by
 * it. All else that PostgreSQL says of a statement, somebody may undo: rights, tables and columns that were taken
 * away, triggers and constraints of other programs (whatever code they choose), who calls off a statement, settings,
 * a lack of memory, damage. It is waited for, and named: no batch ends by it.
 */
export function isOwn({
	code = '',
	schema = '',
	constraint = '',
	where = '',
}: DatabaseError): boolean {
	if (ofConstraints.test(code)) {
		const own = ownConstraints[schema];
		return own === true || (own?.includes(constraint) ?? false);
	}
	return (ofValues.test(code) || ofTables.test(code)) && !isElsewhere(where);
}

/** Whether an error comes from a function of another program, such as that of a trigger. */
function isElsewhere(where: string): boolean {
	return [...where.matchAll(inFunction)].some(([line]) => !ownFunction.test(line));
}
