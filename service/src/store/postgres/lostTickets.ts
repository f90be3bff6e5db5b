import type { FastifyBaseLogger } from 'fastify';
import type { PgBoss } from 'pg-boss';
import { reasonOf } from '../../errors/thrown.ts';
import { queueSchema, type Connections } from './connections.ts';
import { DatabaseClock } from './databaseClock.ts';

/** Seconds between two looks for tickets of which nothing is heard. */
const interval = 5;

/** What pg-boss is told: it looks when we say so. Of the looks of several processes it carries out one in each interval. */
export const watchedBy = { supervise: false, monitorIntervalSeconds: interval - 1 };

/**
 * Has the tickets passed on of which nothing is heard. That is told by the clock of the database: where that was set
 * forward since the last look here, all of them count as just heard of, as those are whose holders are alive.
 */
export function watchTickets(
	boss: PgBoss,
	database: Connections,
	log: FastifyBaseLogger,
): NodeJS.Timeout {
	const clock = new DatabaseClock(database);
	const look = async () => {
		const set = await clock.set();
		// When they were heard of last, the first look does not know.
		if (set === undefined) return;
		if (set > 0) {
			await database.query(
				`UPDATE ${queueSchema}.job SET heartbeat_on = clock_timestamp() WHERE state = 'active'`,
			);
			log.warn('the clock of the database was set forward');
		}
		await boss.supervise();
	};
	let looking: Promise<void> | undefined;
	return setInterval(() => {
		looking ??= look()
			.catch((error: unknown) => log.debug({ reason: reasonOf(error) }, 'no look for lost tickets'))
			.finally(() => (looking = undefined));
	}, interval * 1_000).unref();
}
