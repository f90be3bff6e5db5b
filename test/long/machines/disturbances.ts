import { setTimeout as sleep } from 'node:timers/promises';
import { fc, seed } from '../../support/fastCheck';
import { startAgents, type RunningAgents } from '../../support/service/startAgents';
import { startWire, type Wire } from '../../support/service/startWire';

/** What is done to a machine. */
type Disturbance = 'kill' | 'restart' | 'freeze' | 'cut';

/** What is done to a machine, or to the database. */
export interface Round {
	number: number;
	how: Disturbance | 'database';
	/** Which one of the machines that its lane has. */
	machine: number;
	/** For how long, on top of what it takes to be missed. */
	seconds: number;
}

/** So many rounds, as the seed has them; the database is away in two of them. */
export function planOf(rounds: number): Round[] {
	const drawn = fc.sample(
		fc.record({
			how: fc.constantFrom<Disturbance[]>('kill', 'restart', 'freeze', 'cut'),
			machine: fc.nat(1),
			seconds: fc.nat(5),
		}),
		{ seed, numRuns: rounds },
	);
	const outages = [1, 2].map((third) => Math.floor((rounds * third) / 3));
	return drawn.map((round, number) => ({
		...round,
		number,
		how: outages.includes(number) ? 'database' : round.how,
	}));
}

/** Seconds after which a machine counts as dead, and others have what it had. */
const lease = 11;

/** Agents in a region, on a machine of their own with a wire of its own to the database. */
export class Machine {
	readonly #region: string;
	readonly #database: string;
	readonly #wire: Wire;
	#agents: RunningAgents;

	private constructor(of: { region: string; database: string; wire: Wire; agents: RunningAgents }) {
		this.#region = of.region;
		this.#database = of.database;
		this.#wire = of.wire;
		this.#agents = of.agents;
	}

	static async start(region: string, database: string): Promise<Machine> {
		const address = new URL(database);
		const wire = await startWire(address.hostname, Number(address.port));
		address.host = wire.host;
		const agents = await begin(region, address.href);
		return new Machine({ region, database: address.href, wire, agents });
	}

	/** Does it for so many seconds. `whileThere`: does what fails without a database. */
	async disturb(
		how: Disturbance,
		seconds: number,
		whileThere: <Result>(work: () => Promise<Result>) => Promise<Result>,
	): Promise<void> {
		const missed = (lease + seconds) * 1_000;
		switch (how) {
			case 'kill':
				await this.#agents.stop();
				await sleep(seconds * 1_000);
				this.#agents = await whileThere(() => begin(this.#region, this.#database));
				return;
			case 'restart':
				this.#agents.kill('SIGTERM');
				await this.#agents.ended;
				this.#agents = await whileThere(() => begin(this.#region, this.#database));
				return;
			case 'freeze':
				this.#agents.kill('SIGSTOP');
				await sleep(missed);
				this.#agents.kill('SIGCONT');
				return;
			case 'cut':
				this.#wire.cut();
				await sleep(missed);
				this.#wire.mend();
		}
	}

	async stop(): Promise<void> {
		await this.#agents.stop();
		await this.#wire.stop();
	}
}

function begin(region: string, database: string): Promise<RunningAgents> {
	return startAgents({
		SERVICE_DATABASE: database,
		SERVICE_REGIONS: region,
		SERVICE_AGENTS: '4',
	});
}
