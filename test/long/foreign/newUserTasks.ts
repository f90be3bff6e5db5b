import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, startDocumentationSite } from './documentationSite';
import type { Site } from '../../support/service/startSite';

/** Where Debian's packages put the documentation of SQLite and the Debian policy. */
const sqlite = '/usr/share/doc/sqlite3';
const policy = '/usr/share/doc/debian-policy/policy.html';

const example = readFileSync(
	join(__dirname, '..', '..', '..', 'service', 'examples', 'sqlite-releases.json'),
	'utf8',
);

export interface Books {
	/** Both on loopback, as their packages installed them. */
	site: Site;
	/** Where the list of SQLite's releases is there. */
	releases: string;
	/** Where the folder of the policy's pages is there. */
	policy: string;
	/** The three task files for it: hand them to `startService({ tasks })`. */
	tasks: Record<string, string>;
}

/** Serves both books, and makes the tasks for them; the example of the service's users stays as it is. */
export async function startBooks(): Promise<Books> {
	const site = await startDocumentationSite('whole');
	const address = addressOf(site, policy);
	const task = (name: string) =>
		readFileSync(join(__dirname, `${name}.task.json`), 'utf8').replaceAll('{policy}', address);
	return {
		site,
		releases: addressOf(site, `${sqlite}/chronology.html`),
		policy: address,
		tasks: {
			releases: example,
			sections: task('policySections'),
			search: task('policySearch'),
		},
	};
}

/** A file of SQLite's documentation. */
export function sqliteFile(name: string): string {
	return readFileSync(join(sqlite, name), 'utf8');
}

/** A file of the policy. */
export function policyFile(name: string): string {
	return readFileSync(join(policy, name), 'utf8');
}
