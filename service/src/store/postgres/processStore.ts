import { numberIn, textIn, type Columns } from '../columns.ts';
import { forgottenAfter, silentAfter } from '../processStore.ts';
import type { KnownProcess, ProcessReport, ProcessStore } from '../processStore.ts';
import type { Connections } from './connections.ts';

/** Times are those of the database: the clocks of the processes may differ. */
export class PostgresProcessStore implements ProcessStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async report(report: ProcessReport): Promise<void> {
		const { id, name, kind, version, regions, proxied, agents, busyAgents, memory, upTime } =
			report;
		const { query } = this.#database;
		await query(
			`INSERT INTO processes (id, name, kind, version, regions, agents, busy_agents, memory, proxied, start_time, last_report)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() - $10 * interval '1 millisecond', clock_timestamp())
			ON CONFLICT (id) DO UPDATE SET agents = excluded.agents, busy_agents = excluded.busy_agents,
				memory = excluded.memory, last_report = excluded.last_report`,
			id,
			name,
			kind,
			version,
			regions.join(),
			agents,
			busyAgents,
			memory,
			proxied.join(),
			upTime,
		);
		await query(
			`DELETE FROM processes WHERE last_report < clock_timestamp()
				- CASE WHEN name = $1 THEN $2::double precision ELSE $3::double precision END * interval '1 millisecond'`,
			name,
			silentAfter,
			forgottenAfter,
		);
	}

	async list(): Promise<KnownProcess[]> {
		const found = await this.#database.query(
			`SELECT id, name, kind, version, regions, agents, busy_agents, memory, proxied,
				extract(epoch FROM start_time)::double precision * 1000 AS start_time,
				extract(epoch FROM last_report)::double precision * 1000 AS last_report,
				(clock_timestamp() - last_report > $1 * interval '1 millisecond')::integer AS is_silent
			FROM processes WHERE clock_timestamp() - last_report <= $2 * interval '1 millisecond'
			ORDER BY name, start_time`,
			silentAfter,
			forgottenAfter,
		);
		return found.map(processFrom);
	}

	async leave(id: string): Promise<void> {
		await this.#database.query('DELETE FROM processes WHERE id = $1', id);
	}
}

function processFrom(columns: Columns): KnownProcess {
	return {
		id: textIn(columns, 'id'),
		name: textIn(columns, 'name'),
		kind: textIn(columns, 'kind') === 'api' ? 'api' : 'agents',
		version: textIn(columns, 'version'),
		regions: textIn(columns, 'regions').split(','),
		proxied: textIn(columns, 'proxied').split(',').filter(Boolean),
		agents: numberIn(columns, 'agents'),
		busyAgents: numberIn(columns, 'busy_agents'),
		memory: numberIn(columns, 'memory'),
		startTime: Math.round(numberIn(columns, 'start_time')),
		lastReport: Math.round(numberIn(columns, 'last_report')),
		isSilent: numberIn(columns, 'is_silent') === 1,
	};
}
