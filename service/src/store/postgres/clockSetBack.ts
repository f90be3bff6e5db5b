import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../../errors/thrown.ts';
import { maxRest, slotTime } from '../machines.ts';
import { sessionLength } from '../sessionStore.ts';
import { now, queueSchema, type Connections } from './connections.ts';
import { DatabaseClock } from './databaseClock.ts';

/** Milliseconds between two looks at the clock of the database. */
const interval = 2_500;

/** The times that are waited for: none is farther in the future than so many milliseconds. */
const times = [
	[`${queueSchema}.job`, 'start_after', 0],
	[`${queueSchema}.job`, 'heartbeat_on', 0],
	[`${queueSchema}.queue`, 'monitor_on', 0],
	[`${queueSchema}.queue`, 'monitor_claim_on', 0],
	['slots', 'since', 0],
	['slots', 'until', slotTime],
	['failing_hosts', 'rests_until', maxRest],
	['processes', 'last_report', 0],
] as const;

/**
 * Sees to it that nobody waits for longer than is meant where the clock of the database is set back, as by who
 * takes care of it, or where another machine takes its place: then all times that are too far in the future come
 * nearer. Looks at once, and as soon as the clock goes back. What it returns ends that.
 */
export async function watchClock(
	database: Pick<Connections, 'query'>,
	log: FastifyBaseLogger,
): Promise<() => void> {
	const databaseClock = new DatabaseClock(database);
	const look = async () => {
		const set = await databaseClock.set();
		if (set !== undefined && set >= 0) return;
		for (const [table, column, most] of times) {
			const end = `clock_timestamp() + ${most} * interval '1 millisecond'`;
			await database.query(`UPDATE ${table} SET ${column} = ${end} WHERE ${column} > ${end}`);
		}
		await database.query(
			`UPDATE console_sessions SET end_time = ${now} + $1::bigint WHERE end_time > ${now} + $1::bigint`,
			sessionLength,
		);
		if (set !== undefined) log.warn('the clock of the database was set back');
	};
	await look();
	// Where it cannot be reached, it is looked at again.
	const again = () =>
		look().catch((error: unknown) =>
			log.debug({ reason: reasonOf(error) }, 'the clock of the database was not seen'),
		);
	const looking = setInterval(() => void again(), interval).unref();
	return () => clearInterval(looking);
}
