import { postgresPrograms } from './startPostgres';

/** Why tests are skipped, for those who read of them. */
const missing = 'skipped: there is no PostgreSQL here; on Debian, apt-get install -y postgresql';

const isThere = postgresPrograms() !== undefined;
if (!isThere && process.env.CI) throw new Error(`In CI nothing is ${missing}.`);

/** For tests that need a PostgreSQL: skipped, with a word, where there is none. */
export function describeWithPostgres(title: string, tests: () => void): void {
	if (isThere) describe(title, tests);
	else describe.skip(`${title} (${missing})`, tests);
}
