import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openStore } from '../../service/src/store/openStore.ts';
import { startChild, type Child } from '../ground/child.ts';
import { startPostgres } from '../ground/postgres.ts';
import { machine, machineLine } from '../report/machine.ts';
import { table, twoDigits, whole } from '../report/table.ts';
import { createBatch } from './batches.ts';
import { Evidence } from './evidence.ts';
import type { MembersFigures, MembersOptions } from './members.ts';

/**
 * Tickets, jobs, slots and rows of many processes on a real PostgreSQL, by the service's own dispatchers, agents
 * and stores. What is not there: pages, network and HTTP. A member stands for a process: a store, connections and
 * agents of its own.
 */
const { values } = parseArgs({
	options: {
		batches: { type: 'string', default: '10000' },
		jobs: { type: 'string', default: '2' },
		pages: { type: 'string', default: '2' },
		rows: { type: 'string', default: '2' },
		time: { type: 'string', default: '0' },
		large: { type: 'string', default: '1000' },
		agents: { type: 'string', default: '1000' },
		members: { type: 'string', default: '40' },
		processes: { type: 'string', default: '4' },
		rate: { type: 'string', default: '20' },
	},
});
const batches = Number(values.batches);
/** Of each batch; its agents are as many as its jobs. */
const size = { jobs: Number(values.jobs), pagesOfAJob: Number(values.pages) };
/** Those of one batch that was started before all others. */
const largeSize = { ...size, jobs: Number(values.large) };
const agents = Number(values.agents);
const members = Number(values.members);
const processes = Number(values.processes);
/** Batches a second that come once the backlog is done, and for how long; and how long nothing comes before. */
const rate = Number(values.rate);
const steadySeconds = 30;
const idleSeconds = 20;

const postgres = await startPostgres();
const database = postgres.newDatabase();
const store = await openStore({ data: '', database }, { log: pino({ level: 'silent' }) });
await postgres.ask(database, 'CREATE EXTENSION pg_stat_statements');
const evidence = new Evidence(postgres, database);
const children: Child[] = [];

try {
	print(machineLine(machine()));
	const large = await createBatch(store, 0, largeSize);
	const creating = await secondsOf(() => createBatches(1, batches));
	await startMembers();
	print(
		`${whole(batches / creating)} batches a second are stored, one after the other; ${members} members of ${agents / members} agents in ${processes} processes.`,
	);
	await backlog(large);
	await idle();
	await steady();
} finally {
	await Promise.all(children.map((each) => each.stop()));
	await store.close();
	await postgres.stop();
}

async function startMembers(): Promise<void> {
	const options: MembersOptions = {
		database,
		members: members / processes,
		agents: agents / members,
		pageTime: Number(values.time),
		rowsOfAPage: Number(values.rows),
	};
	for (let process = 0; process < processes; process += 1) {
		const script = join(import.meta.dirname, 'members.ts');
		children.push(await startChild(script, [JSON.stringify(options)]));
	}
}

async function createBatches(first: number, count: number): Promise<void> {
	for (let batch = first; batch < first + count; batch += 1) await createBatch(store, batch, size);
}

/** All batches wait when the agents begin. */
async function backlog(large: bigint): Promise<void> {
	await postgres.ask(database, 'SELECT pg_stat_statements_reset()');
	const start = Date.now();
	const busy = busyTime();
	await Promise.all(children.map((each) => each.ask('begin')));
	const connections = await untilEnded();
	const seconds = (Date.now() - start) / 1000;
	const { tickets, looks, said } = await figures();
	const rows = await evidence.rows();
	print(
		table(
			[
				'tickets/s',
				'pages/s',
				'rows/s',
				'seconds',
				'looks for each ticket',
				'processors of PostgreSQL',
				'connections at most',
			],
			[
				[
					whole(tickets / seconds),
					whole(rows / Number(values.rows) / seconds),
					whole(rows / seconds),
					twoDigits(seconds),
					twoDigits(looks / tickets),
					twoDigits(busy()),
					whole(connections),
				],
			],
		),
	);
	print(await evidence.begins(start, large));
	print(await evidence.overtakings());
	print(await evidence.statements());
	print(await evidence.tables());
	print(`Said by the processes: ${JSON.stringify(said)}`);
}

/** Nothing waits. */
async function idle(): Promise<void> {
	// The last tickets are still given back.
	await sleep(5_000);
	const busy = busyTime();
	const before = await figures();
	await sleep(idleSeconds * 1000);
	const looks = (await figures()).looks - before.looks;
	print(
		`All idle: PostgreSQL keeps ${twoDigits(busy())} processors busy; ${whole(looks / idleSeconds)} looks for tickets a second.`,
	);
}

/** Batches come one by one, to free agents. */
async function steady(): Promise<void> {
	const busy = busyTime();
	const before = await figures();
	const since = Date.now();
	for (let batch = 0; batch < rate * steadySeconds; batch += 1) {
		await sleep(Math.max(0, since + (batch * 1000) / rate - Date.now()));
		await createBatch(store, batch, size);
	}
	await untilEnded();
	const now = await figures();
	const [p50, p99, most] = (await evidence.waits(since)).map(whole);
	print(
		`${rate} batches a second come to free agents, and wait ${p50} ms (p50), ${p99} ms (p99), ${most} ms (most); ${twoDigits((now.looks - before.looks) / (now.tickets - before.tickets))} looks for each ticket, PostgreSQL keeps ${twoDigits(busy())} processors busy. Said by the processes: ${JSON.stringify(now.said)}`,
	);
}

/** The most connections on the way. */
async function untilEnded(): Promise<number> {
	for (let most = 0; ;) {
		const { left, connections } = await evidence.now();
		most = Math.max(most, connections);
		if (left === 0) return most;
		await sleep(500);
	}
}

/** Of all members together. */
async function figures(): Promise<MembersFigures> {
	const sum: MembersFigures = { looks: 0, tickets: 0, said: {} };
	for (const child of children) {
		const { looks, tickets, said } = (await child.ask('figures')) as MembersFigures;
		sum.looks += looks;
		sum.tickets += tickets;
		for (const [what, times] of Object.entries(said)) {
			sum.said[what] = (sum.said[what] ?? 0) + times;
		}
	}
	return sum;
}

/** How many processors PostgreSQL has kept busy from now on. */
function busyTime(): () => number {
	const [since, used] = [performance.now(), postgres.processorMilliseconds()];
	return () => (postgres.processorMilliseconds() - used) / (performance.now() - since);
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
	const began = performance.now();
	await work();
	return (performance.now() - began) / 1000;
}

function print(part: string): void {
	process.stdout.write(`${part}\n\n`);
}
