import { z } from 'zod';
import { textIn } from '../columns.ts';
import type { HostNews, HostsElsewhere } from '../machines.ts';
import type { Connections } from './connections.ts';
import type { StandingConnection } from './standingConnection.ts';

const channel = 'cloud_scraping_hosts';

/** Milliseconds after its pause for which is kept what was told of a host. */
const memory = 60_000;

const news = z.object({
	failures: z.number(),
	isSilent: z.boolean(),
	addresses: z.array(z.string()),
	rest: z.number(),
});

/** The process that has written something of a host, and its key. */
const told = /^(\S+) (.+)$/s;

/**
 * What the processes know of hosts stands in a table. Whoever may connect to the database may tell that there is
 * something new: what counts is what the table says.
 */
export class PostgresHostNews implements HostsElsewhere {
	readonly #database: Connections;
	readonly #standing: StandingConnection;
	readonly #process: string;
	/** One thing is told after the other: the last one holds. */
	#telling: Promise<void> = Promise.resolve();

	/** `process`: a name that no other process has. */
	constructor(database: Connections, standing: StandingConnection, process: string) {
		this.#database = database;
		this.#standing = standing;
		this.#process = process;
	}

	tell(key: string, given: HostNews | undefined): Promise<void> {
		this.#telling = this.#telling.catch(() => undefined).then(() => this.#tell(key, given));
		return this.#telling;
	}

	async #tell(key: string, given: HostNews | undefined): Promise<void> {
		const { query } = this.#database;
		const some = given && {
			...given,
			addresses: given.addresses.map((each) => each.slice(0, 200)),
		};
		if (some) {
			await query(
				`INSERT INTO failing_hosts (key, news, rests_until) VALUES ($1, $2, now() + $3 * interval '1 millisecond')
				ON CONFLICT (key) DO UPDATE SET news = excluded.news, rests_until = excluded.rests_until`,
				key,
				JSON.stringify(some),
				Math.round(some.rest),
			);
		} else await query('DELETE FROM failing_hosts WHERE key = $1', key);
		await query('SELECT pg_notify($1, $2)', channel, `${this.#process} ${key}`);
	}

	async known(key: string): Promise<HostNews | undefined> {
		const { query } = this.#database;
		const [columns] = await query(
			`SELECT news, greatest(0, extract(epoch FROM rests_until - now()) * 1000)::float8 AS rest FROM failing_hosts
			WHERE key = $1 AND rests_until > now() - $2 * interval '1 millisecond'`,
			key,
			memory,
		);
		if (!columns) return undefined;
		return news.parse({ ...parsed(textIn(columns, 'news')), rest: columns.rest });
	}

	onTold(heard: (key: string, given: HostNews | undefined) => void): void {
		void this.#standing
			.listen(channel, (payload) => {
				const [, process, key] = told.exec(payload) ?? [];
				if (key === undefined || process === this.#process) return;
				// What is not understood now, the next one who asks that host finds out.
				void this.known(key)
					.then((given) => heard(key, given))
					.catch(() => undefined);
			})
			// It listens when it is back.
			.catch(() => undefined);
	}
}

function parsed(json: string): object {
	const value: unknown = JSON.parse(json);
	return typeof value === 'object' && value !== null ? value : {};
}
